/// Two of the rows given for a list have one key, so there is no saying which of them is meant.
public struct DuplicateKey: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key that was given twice.
    public let key: Key

    /// Makes the error.
    public init(key: Key) {
        self.key = key
    }

    /// What happened, and what to do.
    public var description: String {
        "Cannot replace the rows: the key \"\(key)\" was given twice. Give each row a key of its own."
    }
}
