import KeyedLists
import ListSources

/// What a search has found until now.
protocol SearchResult {
    /// How many rows.
    var count: Int { get }
    /// Whether all rows were looked at.
    var isWhole: Bool { get }
    /// What it takes in memory, about. Bytes
    var size: Int { get }
}

extension SearchResult {
    /// Whether somebody sees something of it in a window, or all of it.
    ///
    /// - Parameter window: nil: of nobody.
    func suffices(for window: Window?) -> Bool {
        if case .first(let first, _) = window, count > first { return true }
        return isWhole
    }
}

/// A cache of the searches of a source: the least recently used goes first, but those that are under way stay, as long as somebody
/// asks for them.
struct RecentSearches<Result: SearchResult> {
    private let most = 64
    /// What they take together. Bytes
    private let mostBytes = 32 << 20
    /// Nobody waits any more for what was not asked for in so long: who waits asks again after each turn.
    private let abandoned = Duration.seconds(10)

    private var searches: [RowQuery: (result: Result, asked: ContinuousClock.Instant)] = [:]

    /// What a query has found, if that is remembered.
    subscript(query: RowQuery) -> Result? { searches[query]?.result }

    /// Remembers what a query has found, in place of others that nobody waits for.
    ///
    /// - Throws: where too many search at once.
    mutating func keep(
        _ result: Result, of query: RowQuery, at now: ContinuousClock.Instant = .now
    ) throws(SourceError) {
        searches[query] = nil
        while searches.count >= most || searches.values.reduce(result.size, { $0 + $1.result.size }) > mostBytes {
            let others = searches.filter { query, search in
                // All rows in their order are asked for by everybody.
                !query.isEmpty && (search.result.isWhole || now - search.asked > abandoned)
            }
            if let oldest = others.min(by: { $0.value.asked < $1.value.asked }) {
                searches[oldest.key] = nil
            } else if searches.count >= most {
                throw SourceError(message: "Too many people look for something in this list. Try again in a moment.")
            } else {
                break
            }
        }
        searches[query] = (result, now)
    }

    /// Forgets some.
    mutating func forget(where isOld: (Result) -> Bool) {
        searches = searches.filter { !isOld($0.value.result) }
    }
}
