import Dispatch
import ListSources
import Locking

/// Where the rows are that people look for in one state of a file.
final class FoundRows: Sendable {
    /// Queries, and places of all of them, that are remembered.
    private static let (mostQueries, mostPlaces) = (16, 8 << 20)

    /// What a query has found until now.
    struct Places {
        /// In its order.
        var places: [UInt32] = []
        /// The first place that was not looked at; nil: all were.
        var next: UInt32? = 0
    }

    private struct State {
        var stamp: FileStamp?
        var queries: [RowQuery: Places] = [:]
    }

    private let known = Locked(State())
    /// For a look at all rows: one after the other, and whoever comes second finds what the first has found.
    let thread = DispatchQueue(label: "FoundRows")

    /// Whether all places of a query are known.
    func isKnown(_ query: RowQuery, in stamp: FileStamp) -> Bool {
        known.withLock { known in
            known.stamp == stamp && known.queries[query].map { $0.next == nil } ?? false
        }
    }

    /// The places of a query, which are looked for unless they are known.
    ///
    /// - Parameters:
    ///   - stamp: of the file, taken before it was opened.
    ///   - look: goes on from what was found.
    func places(of query: RowQuery, in stamp: FileStamp, looking look: (inout Places) throws -> Void) throws -> Places {
        var found = known.withLock { known in
            if known.stamp != stamp { known = State(stamp: stamp) }
            return known.queries[query] ?? Places()
        }
        guard found.next != nil else { return found }
        try look(&found)
        known.withLock { known in
            guard known.stamp == stamp, found.places.count <= Self.mostPlaces else { return }
            known.queries[query] = nil
            while known.queries.count >= Self.mostQueries
                || known.queries.values.reduce(found.places.count, { $0 + $1.places.count }) > Self.mostPlaces,
                let other = known.queries.keys.first
            {
                known.queries[other] = nil
            }
            known.queries[query] = found
        }
        return found
    }
}
