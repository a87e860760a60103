#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The name of a row within its list: a string that equals another only if their UTF-8 bytes do.
///
/// Swift's `String` takes "é" in one scalar and "é" in two for equal; JavaScript, SQLite and most sources of rows do not.
/// A key is therefore its bytes: no two rows are ever merged, and none is split.
///
///     list["a1b2c3"]                  // a literal is a key
///     Key(42), Key(message.id)        // and so is a number, or an identifier of yours
///     Key("caf\u{E9}") == Key("cafe\u{301}")   // false
public struct Key: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, LosslessStringConvertible {
    /// The text of the key. Comparing two of these merges what the keys keep apart: compare keys.
    public let string: String

    /// Makes a key of any text, also of the empty one. Its length is the protocol's to limit.
    public init(_ string: String) {
        var contiguous = string
        contiguous.makeContiguousUTF8()
        self.string = contiguous
    }

    /// Makes a key of a number, of a substring, or of an identifier of yours: of its text.
    public init(_ value: some LosslessStringConvertible) { self.init(value.description) }

    /// Makes a key of a UUID: of its text, in capitals as Foundation writes it.
    public init(_ uuid: UUID) { self.init(uuid.uuidString) }

    /// Makes a key of a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text of the key.
    public var description: String { string }

    /// Whether both have the same UTF-8 bytes.
    public static func == (left: Key, right: Key) -> Bool {
        guard left.string.utf8.count == right.string.utf8.count else { return false }
        return left.withBytes { bytes in right.withBytes { bytes.equals($0) } }
    }

    /// Whether the UTF-8 bytes of one come before those of the other, as SQLite and PostgreSQL order bytes.
    public static func < (left: Key, right: Key) -> Bool {
        left.withBytes { bytes in right.withBytes { bytes.precedes($0) } }
    }

    /// Feeds the UTF-8 bytes, and an end that no UTF-8 text contains.
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        hasher.combine(0xFF as UInt8)
    }

    /// Calls `body` with the UTF-8 bytes, which are valid until it returns.
    @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let result = try string.utf8.withContiguousStorageIfAvailable { try body(UnsafeRawBufferPointer($0)) }
        guard let result else { preconditionFailure("A key's text is made contiguous when it is made.") }
        return result
    }
}

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
