/// A value that a query is given.
public enum SQLiteValue: Hashable, Sendable {
    /// Nothing; equal to no other value, as SQL has it.
    case null
    /// A whole number of 64 bits.
    case integer(Int64)
    /// Any other number.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension SQLiteValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .real(value) }

    /// 1 or 0: SQLite has no other truth.
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }

    /// Nothing.
    public init(nilLiteral: ()) { self = .null }
}
