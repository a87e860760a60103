import ListSources

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Batches from a file or pipe: of the lines that are there when the next batch is wanted, so that a line that comes alone
/// is pushed at once, and a million are pushed by the thousand.
struct PushInput {
    private let descriptor: Int32
    private var splitter = LineSplitter(limit: PushBatch.limit)
    private var lines: ArraySlice<[UInt8]> = []
    /// Of the first of `lines`.
    private var number = 1
    private var isAtEnd = false

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next batch; nil at the end. Blocks its thread until there is a line. Empty lines are passed over.
    ///
    /// - Throws: `PushBatch.Fault` for a line that is no row, once those before it were given.
    mutating func next() throws -> PushBatch? {
        var batch = PushBatch()
        while batch.count == 0 {
            if lines.isEmpty {
                guard !isAtEnd else { return nil }
                try readMore()
            }
            try fill(&batch)
        }
        return batch
    }

    private mutating func fill(_ batch: inout PushBatch) throws {
        while let line = lines.first {
            if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                do {
                    guard try batch.add(line, number: number) else { return }
                } catch  where batch.count > 0 {
                    return
                }
            }
            lines.removeFirst()
            number += 1
        }
    }

    private mutating func readMore() throws {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var count = read(descriptor, &piece, piece.count)
        while count < 0, errno == EINTR { count = read(descriptor, &piece, piece.count) }
        guard count >= 0 else {
            throw PushBatch.Fault(line: number, problem: "cannot be read: \(String(cString: strerror(errno))).")
        }
        var more: [[UInt8]] = []
        do {
            try piece[..<count].withUnsafeBytes { bytes in try splitter.append(bytes) { more.append($0) } }
            if count == 0 { try splitter.finish { more.append($0) } }
        } catch is LineTooLong {
            throw PushBatch.Fault(line: number + more.count, problem: "is longer than \(PushBatch.limit >> 10) KiB.")
        }
        isAtEnd = count == 0
        lines += more
    }
}
