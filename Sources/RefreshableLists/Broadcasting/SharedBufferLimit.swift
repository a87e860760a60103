import WebSockets

/// What one list has lent of one kind to those who read it: bytes that were made once for all who read them then, and are in
/// memory until the slowest has them.
///
/// However many read however slowly, and whatever the list does meanwhile, no more is lent at a time than a mebibyte and four
/// times the largest, and no more than other lists leave of what all may lend (`MemoryShare`); the oldest is taken back for
/// the newest. What fits into a page of memory or four is not counted: it is as small as all else that a connection keeps.
struct SharedBufferLimit {
    /// In bytes, of what is not counted.
    static let small = 16 * 1024
    private static let base = 1 << 20

    private struct SharedBuffer {
        weak var revocation: Revocation?
        let size: Int
    }

    /// Oldest first. Some are returned.
    private var sharedBuffers: [SharedBuffer] = []
    private let part: MemoryShare.Part

    /// - Parameter share: bytes that all lists may lend.
    init(of share: MemoryShare) { part = MemoryShare.Part(of: share) }

    /// Bytes that are lent now.
    var size: Int { sharedBuffers.reduce(0) { $0 + ($1.revocation == nil ? 0 : $1.size) } }

    /// Whether so much can be lent without taking anything back.
    func haveRoom(for size: Int) -> Bool {
        size <= Self.small
            || self.size + size <= Self.most(of: sharedBuffers.map(\.size) + [size]) && !part.isTooMuch(size)
    }

    /// Lends; nil for what is not counted. The bytes count for as long as somebody holds what is returned. What is lent last
    /// is lent in any case: a list that has one reader keeps it anyway.
    mutating func lend(_ size: Int) -> Revocation? {
        guard size > Self.small else { return nil }
        sharedBuffers.removeAll { $0.revocation == nil }
        let revocation = Revocation { [part] in part.give(size) }
        part.take(size)
        sharedBuffers.append(SharedBuffer(revocation: revocation, size: size))
        let most = Self.most(of: sharedBuffers.map(\.size))
        var sum = self.size
        // Of what is taken back the memory is free once its readers have heard of it.
        var tooMuch = part.excess
        while sharedBuffers.count > 1, sum > most || tooMuch > 0 {
            let oldest = sharedBuffers.removeFirst()
            sum -= oldest.size
            tooMuch -= oldest.size
            oldest.revocation?.revoke()
        }
        return revocation
    }

    private static func most(of sizes: [Int]) -> Int { base + 4 * (sizes.max() ?? 0) }
}
