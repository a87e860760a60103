import Dispatch
import ListSources
import Locking

/// Where the rows are that people look for in one state of a file.
final class FoundRows: Sendable {
    /// Queries, and places of all of them, that are remembered.
    private static let (mostQueries, mostPlaces) = (16, 8 << 20)

    private struct State {
        var stamp: FileStamp?
        var places: [RowQuery: [UInt32]] = [:]
    }

    private let known = Locked(State())
    /// For a look at all rows: one after the other, and whoever comes second finds what the first has found.
    let thread = DispatchQueue(label: "FoundRows")

    /// Whether the places of a query are known.
    func isKnown(_ query: RowQuery, in stamp: FileStamp) -> Bool {
        known.withLock { $0.stamp == stamp && $0.places[query] != nil }
    }

    /// The places of a query, which are looked for unless they are known.
    ///
    /// - Parameter stamp: of the file, taken before it was opened.
    func places(of query: RowQuery, in stamp: FileStamp, looking look: () throws -> [UInt32]) throws -> [UInt32] {
        let remembered = known.withLock { known in
            if known.stamp != stamp { known = State(stamp: stamp) }
            return known.places[query]
        }
        if let remembered { return remembered }
        let places = try look()
        known.withLock { known in
            guard known.stamp == stamp, places.count <= Self.mostPlaces else { return }
            while known.places.count >= Self.mostQueries
                || known.places.values.reduce(places.count, { $0 + $1.count }) > Self.mostPlaces,
                let other = known.places.keys.first
            {
                known.places[other] = nil
            }
            known.places[query] = places
        }
        return places
    }
}
