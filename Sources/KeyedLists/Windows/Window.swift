/// The part of a list that somebody looks at.
public enum Window: Hashable, Sendable {
    /// So many rows from an index on.
    case first(Int, count: Int)
    /// The row of a key, and so many before and after it.
    case around(Key, before: Int, after: Int)
    /// So many rows at the end.
    case last(Int)
}

extension KeyedList {
    /// Where a window lies, in O(log n): the indexes of its rows, fewer where the list has no more; `nil` where it is around a row
    /// that is not there.
    public func range(of window: Window) -> Range<Int>? {
        switch window {
        case .first(let first, let size):
            let first = min(max(0, first), count)
            return first..<first + min(max(0, size), count - first)
        case .around(let key, let before, let after):
            guard let index = index(of: key) else { return nil }
            return index - min(max(0, before), index)..<index + 1 + min(max(0, after), count - index - 1)
        case .last(let size):
            return count - min(max(0, size), count)..<count
        }
    }
}
