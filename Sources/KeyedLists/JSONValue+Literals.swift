extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `nil` is null.
    public init(nilLiteral: ()) {
        self = .null
    }

    /// A literal `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// A literal whole number.
    public init(integerLiteral value: Int) {
        self = .number(Double(value))
    }

    /// A literal number.
    public init(floatLiteral value: Double) {
        self = .number(value)
    }

    /// A literal string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// A literal array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// A literal object, in which no name may be twice.
    public init(dictionaryLiteral members: (Key, JSONValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: members))
    }
}
