public import KeyedLists

/// Why a list was not edited. Nothing of the edit was done then.
public enum EditError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A row is to be moved that the list does not have.
    case unknownRow(Key)
    /// The rows that are to replace all others have this key twice.
    case duplicateKey(Key)
    /// A row has the empty text as its key.
    case emptyKey
    /// A key has more bytes than the protocol sends.
    case keyTooLong(Key, limit: Int)
    /// A row's fields have more bytes than the protocol sends.
    case rowTooLarge(Key, limit: Int)
    /// The list would hold more rows than programs may push into one.
    case tooManyRows(limit: Int)
    /// The list has gone on from the revision that the edit is for. Where it is now.
    case conflict(ListRevision)
    /// The rows could not be read or kept; the reason is for the log.
    case unavailable(reason: String)
    /// The server has stopped.
    case ended

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .unknownRow(let key):
            "Cannot move the row \"\(key.abridged)\": there is none of that key. Give it fields to insert it."
        case .duplicateKey(let key):
            "Cannot replace the rows: the key \"\(key.abridged)\" was given twice. Give each row a key of its own."
        case .emptyKey: "Cannot set a row without a key. Give it one of at least one byte."
        case .keyTooLong(let key, let limit):
            "Cannot set the row \"\(key.abridged)\": its key is longer than \(limit) bytes. Give it a shorter one."
        case .rowTooLarge(let key, let limit):
            "Cannot set the row \"\(key.abridged)\": its fields are larger than \(limit) bytes. Leave something out."
        case .tooManyRows(let limit): "Cannot push more rows: the list may hold \(limit). Remove some."
        case .conflict(let current):
            "The list has gone on: it is at \(current). Look at what has changed, and edit that."
        case .unavailable(let reason): "Cannot keep the rows: \(reason)"
        case .ended: "Cannot edit the list: its server has stopped."
        }
    }
}

extension Key {
    /// The beginning of a key, for people.
    fileprivate var abridged: String { string.unicodeScalars.count > 40 ? "\(string.prefix(40))…" : string }
}
