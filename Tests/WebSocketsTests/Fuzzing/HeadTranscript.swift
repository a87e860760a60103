@testable import WebSockets

/// What a reader makes of bytes that come in pieces: its heads, and what it refused.
struct HeadTranscript: Equatable {
    private(set) var steps: [HeadReader.Step] = []
    /// Bytes up to the end, or to the piece in which it refused.
    private(set) var taken = 0
    let isIdle: Bool

    /// - Parameter pieces: the length of each piece.
    init(_ bytes: [UInt8], _ limits: HeadLimits = .init(address: 200, fields: 800), pieces: () -> Int = { .max }) {
        var reader = HeadReader(limits: limits)
        while taken < bytes.count {
            let piece = bytes[taken...].prefix(pieces())
            steps += piece.withUnsafeBytes { Self.steps(&reader, $0) }
            taken += piece.count
            if case .refused = steps.last { break }
        }
        isIdle = reader.isIdle
    }

    private static func steps(_ reader: inout HeadReader, _ piece: UnsafeRawBufferPointer) -> [HeadReader.Step] {
        var rest = piece
        var steps: [HeadReader.Step] = []
        while !rest.isEmpty {
            let step = reader.read(&rest)
            if step != .incomplete { steps.append(step) }
            if case .refused = step { break }
        }
        return steps
    }

    /// The same, however they were cut: a refusal comes with the piece that has its reason.
    static func == (one: HeadTranscript, other: HeadTranscript) -> Bool {
        guard one.steps == other.steps else { return false }
        if case .refused = one.steps.last { return true }
        return one.isIdle == other.isIdle && one.taken == other.taken
    }
}
