/// Bytes are not the JSON that was expected.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The byte at which reading stopped; the number of bytes if they ended too early.
    public let offset: Int
    /// What should have been there, as in "a comma or the end of the object".
    public let expected: String

    /// Makes the error.
    public init(offset: Int, expected: String) {
        self.offset = offset
        self.expected = expected
    }

    /// What happened and where, for the sender to mend.
    public var description: String {
        "Cannot read the JSON: at byte \(offset) there should be \(expected)."
    }
}
