import Dispatch
import ListSources
import Locking

/// Where the rows are that people look for in one state of a file.
final class FoundRows: Sendable {
    /// What a query has found until now.
    struct Places {
        /// In its order.
        var places: [UInt32] = []
        /// The first place that was not looked at; nil: all were.
        var next: UInt32? = 0
    }

    private struct State {
        var stamp: FileStamp?
        var searches = RecentSearches<Places>()
    }

    private let known = Locked(State())
    /// For looks at all rows: one turn after the other, and whoever comes second finds what the first has found.
    let thread = DispatchQueue(label: "FoundRows")

    /// Whether all places of a query are known.
    func isKnown(_ query: RowQuery, in stamp: FileStamp) -> Bool {
        known.withLock { known in known.stamp == stamp && known.searches[query]?.isWhole == true }
    }

    /// The places of a query, which are looked for unless they are known.
    ///
    /// - Parameters:
    ///   - stamp: of the file, taken before it was opened.
    ///   - look: goes on from what was found.
    func places(of query: RowQuery, in stamp: FileStamp, looking look: (inout Places) throws -> Void) throws -> Places {
        var found = known.withLock { known in
            if known.stamp != stamp { known = State(stamp: stamp) }
            return known.searches[query] ?? Places()
        }
        guard !found.isWhole else { return found }
        try look(&found)
        try known.withLock { known in
            if known.stamp == stamp { try known.searches.keep(found, of: query) }
        }
        return found
    }
}

extension FoundRows.Places: SearchResult {
    var count: Int { places.count }
    var isWhole: Bool { next == nil }
    var size: Int { places.count * MemoryLayout<UInt32>.size }
}
