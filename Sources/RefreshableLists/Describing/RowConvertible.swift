public import KeyedLists

/// A value that a handler may return as a row: a `Row`, a `String`, or a type of your own.
///
/// ```swift
/// extension Message: RowConvertible {
///     var row: Row { Row(id, title: subject, subtitle: sender) }
/// }
/// ```
public protocol RowConvertible: Sendable {
    /// The row that shows it. Its key must tell it from every other row of the list: two alike fail the run.
    var row: Row { get }
}

extension Row: RowConvertible {
    /// Itself.
    public var row: Row { self }
}

extension String: RowConvertible {
    /// A row of which the text is both key and title. An empty text has no key, so it is no row and fails the run.
    public var row: Row { Row(self, title: self) }
}
