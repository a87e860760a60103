/// The values that stand in a query's places, so that none is ever read as SQL.
///
/// ```swift
/// ["state": "open", "least": 5]      // for :state, @state or $state, and :least
/// ["open", 5]                        // for ? and ?, in their order
/// ```
public enum SQLiteParameters: Hashable, Sendable {
    /// By name, without the sign before it. Each name of the query has to be here, and no other.
    case named([String: SQLiteValue])
    /// In order, as many as the query has places.
    case positional([SQLiteValue])
}

extension SQLiteParameters: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// By name. Of two values with one name the last counts.
    public init(dictionaryLiteral elements: (String, SQLiteValue)...) {
        self = .named(Dictionary(elements) { _, last in last })
    }

    /// In order.
    public init(arrayLiteral elements: SQLiteValue...) { self = .positional(elements) }
}
