/// The part of a list that somebody looks at.
public enum Window: Hashable, Sendable {
    /// So many rows from an index on.
    case first(Int, count: Int)
    /// The row of a key, and so many before and after it; where there is no such row, those about an index, if one is given.
    case around(Key, before: Int, after: Int, orAt: Int? = nil)
    /// So many rows at the end.
    case last(Int)
}

/// Where a window lies in its list.
public struct WindowPlace: Hashable, Sendable {
    /// How many rows come before it.
    public var first: Int
    /// How many rows the list has.
    public var total: Int
    /// Whether these are the first rows that were found, and the rest is still being looked for: then `total` is what was found
    /// until now. Or the first of a list that is still being read.
    public var isSearching: Bool

    /// Makes a place.
    public init(first: Int, total: Int, isSearching: Bool = false) {
        self.first = first
        self.total = total
        self.isSearching = isSearching
    }
}

extension Window {
    /// The indexes of its rows, fewer where there are no more; `nil` where it is around a row that is not there, and names no index.
    ///
    /// - Parameters:
    ///   - count: of all rows.
    ///   - index: where the row of a key is; `nil` where it is not there.
    package func range(in count: Int, index: (Key) throws -> Int?) rethrows -> Range<Int>? {
        switch self {
        case .first(let first, let size):
            let first = min(max(0, first), count)
            return first..<first + min(max(0, size), count - first)
        case .around(let key, let before, let after, let place):
            guard let index = try index(key) ?? place.map({ min(max(0, $0), count) }) else { return nil }
            let following = max(0, count - index - 1)
            return index - min(max(0, before), index)..<min(count, index + 1 + min(max(0, after), following))
        case .last(let size):
            return count - min(max(0, size), count)..<count
        }
    }
}

extension KeyedList {
    /// Where a window lies, in O(log n): the indexes of its rows, fewer where the list has no more; `nil` where it is around a row
    /// that is not there, and names no index.
    public func range(of window: Window) -> Range<Int>? { window.range(in: count) { index(of: $0) } }
}
