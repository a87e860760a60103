import KeyedLists
import ListProtocol
import ListStorage
import Logging
import WebSockets

/// The rows of a list that people have not seen yet, of each who signed in.
///
/// To whoever comes for the first time nothing is unread: only what comes from then on, until they open it or say that they have seen
/// it. Of each person the newest rows are kept, so that all of them are one message, which replaces the one before.
struct UnreadRows {
    /// So many rows of a person, and so many people of a list.
    static let (mostRows, mostPeople) = (200, 1000)

    /// The keys of each person, oldest first.
    private(set) var keys: [String: [Key]] = [:]
    /// Those who are told, by person and watch.
    var listeners: [String: [WatchID: LoopFeed]] = [:]
    /// What is done once this server knows what was kept.
    var postponed: [() -> Void] = []
    private var isRestored = false

    /// Takes over what the store remembers, once; what is not a row of the list any more is forgotten. What has come since that was
    /// kept, because the server ended before, is unread.
    ///
    /// - Parameters:
    ///   - revision: the newest whose rows count. Newer ones are noted by whoever calls.
    ///   - again: replaces what was taken over before, because another server has changed it since.
    /// - Returns: the people to whom something else is unread than is kept.
    mutating func restore(
        _ stored: [StoredUnread], of rows: KeyedList, upTo revision: Revision, again: Bool = false
    ) -> [String] {
        guard !isRestored || again else { return [] }
        isRestored = true
        keys = [:]
        var noted: Revision?
        for entry in stored {
            if entry.person.isEmpty {
                noted = Self.revision(entry.keys)
            } else {
                keys[entry.person] = Self.decode(entry.keys).filter { rows[$0] != nil }
            }
        }
        guard let noted, noted < revision, !keys.isEmpty else { return [] }
        let came = rows.rows.filter { $0.isNew(since: noted) && $0.fieldsRevision <= revision }
        return change(inserted: came.suffix(Self.mostRows).map(\.key), removed: [])
    }

    /// Takes over what another server has said of people.
    ///
    /// - Returns: those to whom something else is unread now.
    mutating func take(_ stored: [StoredUnread]) -> [String] {
        stored.filter { !$0.person.isEmpty }.compactMap { entry in
            let rows = Self.decode(entry.keys)
            return keys.updateValue(rows, forKey: entry.person) == rows ? nil : entry.person
        }
    }

    /// Somebody looks at the list. True if it is for the first time.
    mutating func meet(_ person: String) -> Bool {
        guard keys[person] == nil, keys.count < Self.mostPeople else { return false }
        keys[person] = []
        return true
    }

    /// Rows came, and others went.
    ///
    /// - Returns: the people to whom something else is unread now.
    mutating func change(inserted: [Key], removed: Set<Key>) -> [String] {
        keys.keys.filter { person in
            let before = keys[person] ?? []
            var now = removed.isEmpty ? before : before.filter { !removed.contains($0) }
            now.removeAll { inserted.contains($0) }
            now = (now + inserted).suffix(Self.mostRows)
            keys[person] = now
            return now != before
        }
    }

    /// A person has seen a row, or wants it to count as unread again; nil: all of those rows.
    ///
    /// - Returns: whether something else is unread now.
    mutating func mark(isSeen: Bool, _ rows: [Key]?, by person: String) -> Bool {
        let before = keys[person] ?? []
        let others = rows.map { rows in before.filter { !rows.contains($0) } } ?? []
        keys[person] = isSeen ? others : (others + (rows ?? [])).suffix(Self.mostRows)
        return keys[person] != before
    }

    /// As the store is to keep it.
    func stored(for person: String) -> StoredUnread {
        let names = (keys[person] ?? []).map { JSONValue.string($0.string) }
        return StoredUnread(person: person, keys: JSONValue.array(names).canonical)
    }

    /// As the store is to keep up to which revision rows were noted: in the place of somebody without a name.
    static func stored(upTo revision: Revision) -> StoredUnread {
        StoredUnread(person: "", keys: JSONValue.array([.number(Double(revision))]).canonical)
    }

    private static func revision(_ bytes: [UInt8]) -> Revision? {
        guard case .array(let values)? = try? JSONValue(json: bytes), case .number(let number)? = values.first else {
            return nil
        }
        return Revision(exactly: number)
    }

    private static func decode(_ bytes: [UInt8]) -> [Key] {
        guard case .array(let names)? = try? JSONValue(json: bytes) else { return [] }
        return names.compactMap { if case .string(let name) = $0 { Key(name) } else { nil } }
    }
}

/// What somebody says of rows.
struct UnreadMark: Hashable {
    enum Kind: String {
        /// They look at the list for the first time.
        case met
        case seen, unseen
    }

    let kind: Kind
    let person: String
    /// Nil: all.
    let row: Key?
}
