/// A distance that no pull could be measured by: `threshold must be greater than minimum (10), got 5`.
public struct PullConfigurationError: Error, Hashable, CustomStringConvertible {
    /// The distance that can't be used.
    public let field: PullConfiguration.Field
    /// What it must be, as the end of a sentence that starts "threshold must be".
    public let expected: String
    /// What it was, in px.
    public let value: Double

    /// One line for the person who wrote the setting.
    public var description: String {
        "\(field.rawValue) must be \(expected), got \(value.plain)"
    }
}

extension Double {
    /// The number as a person writes it: `64`, not `64.0`.
    var plain: String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }
}
