@testable import WebSockets

/// What a reader makes of frames that come in pieces; the pieces of a message's payload put together.
struct FrameTranscript: Equatable {
    enum Entry: Equatable {
        case begin(isBinary: Bool, isCompressed: Bool)
        case payload([UInt8])
        case end
        case ping([UInt8])
        case pong
        case close([UInt8])
        case fault(String)
    }

    private(set) var entries: [Entry] = []
    /// The most that was left to be handed in again.
    private(set) var mostLeft = 0

    /// - Parameter pieces: the length of each piece.
    init(_ bytes: [UInt8], isCompressing: Bool = false, pieces: () -> Int = { .max }) {
        var reader = FrameReader(isCompressing: isCompressing)
        var left: [UInt8] = []
        var taken = 0
        while taken < bytes.count {
            let piece = bytes[taken...].prefix(pieces())
            taken += piece.count
            left += piece
            let position = left.withUnsafeMutableBytes { read($0, &reader) }
            if case .fault = entries.last { return }
            left.removeFirst(position)
            mostLeft = max(mostLeft, left.count)
        }
    }

    init(_ entries: [Entry]) { self.entries = entries }

    static func == (one: FrameTranscript, other: FrameTranscript) -> Bool { one.entries == other.entries }

    private mutating func read(_ bytes: UnsafeMutableRawBufferPointer, _ reader: inout FrameReader) -> Int {
        var position = 0
        while let event = reader.next(bytes, &position) {
            switch event {
            case .piece(let piece): add(piece)
            case .ping(let payload): entries.append(.ping(Array(payload)))
            case .pong: entries.append(.pong)
            case .close(let payload): entries.append(.close(Array(payload)))
            case .fault(let fault):
                entries.append(.fault(fault.reason))
                return position
            }
        }
        return position
    }

    private mutating func add(_ piece: Fragment) {
        if piece.isFirst { entries.append(.begin(isBinary: piece.isBinary, isCompressed: piece.isCompressed)) }
        add(Array(piece.bytes))
        if piece.isFinal { entries.append(.end) }
    }

    mutating func add(_ payload: [UInt8]) {
        guard !payload.isEmpty else { return }
        if case .payload(let before) = entries.last {
            entries[entries.count - 1] = .payload(before + payload)
        } else {
            entries.append(.payload(payload))
        }
    }

    mutating func add(_ entry: Entry) { entries.append(entry) }
}
