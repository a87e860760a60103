import KeyedLists

/// Those on all loops who watch the same rows, be it the whole list or a window of it: a feed for each loop, and how many watch
/// there.
struct LoopWatchers {
    private struct Share {
        let feed: LoopFeed
        var count = 0
    }

    /// By the loop's feed of the whole list.
    private var shares: [ObjectIdentifier: Share] = [:]

    var isEmpty: Bool { shares.isEmpty }

    /// How many watch, on all loops.
    var count: Int { shares.values.reduce(0) { $0 + $1.count } }

    /// The feeds of the loops on which somebody watches.
    var feeds: some Sequence<LoopFeed> { shares.values.lazy.map(\.feed) }

    /// One more watches on a loop.
    ///
    /// - Parameter make: makes the feed for the first one there.
    /// - Returns: the feed by which they are told.
    mutating func join(on loop: LoopFeed, _ make: () -> LoopFeed) -> LoopFeed {
        let id = ObjectIdentifier(loop)
        var share = shares[id] ?? Share(feed: make())
        share.count += 1
        shares[id] = share
        return share.feed
    }

    /// One of them watches no more.
    ///
    /// - Returns: the feed, if it was the last one there.
    mutating func leave(on loop: LoopFeed) -> LoopFeed? {
        let id = ObjectIdentifier(loop)
        shares[id]?.count -= 1
        guard let share = shares[id], share.count == 0 else { return nil }
        shares[id] = nil
        return share.feed
    }
}
