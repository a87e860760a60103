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
    private var isRestored = false

    /// Takes over what the store remembers, once; what is not a row of the list any more is forgotten.
    mutating func restore(_ stored: [StoredUnread], isRow: (Key) -> Bool) {
        guard !isRestored else { return }
        isRestored = true
        for entry in stored { keys[entry.person] = Self.decode(entry.keys).filter(isRow) }
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

    private static func decode(_ bytes: [UInt8]) -> [Key] {
        guard case .array(let names)? = try? JSONValue(json: bytes) else { return [] }
        return names.compactMap { if case .string(let name) = $0 { Key(name) } else { nil } }
    }
}

/// Who has not seen what.
extension LiveList {
    /// Somebody who is known begins to watch: they are told what is unread, now and whenever that changes.
    func tellUnread(to person: String, watching watch: WatchID, over feed: LoopFeed) {
        guard description.tracksUnread, kept != nil else { return }
        restoreUnread()
        if unread.meet(person) { keepUnread(of: [person]) }
        unread.listeners[person, default: [:]][watch] = feed
        feed.deliver(.unread(watch, unreadFrame(for: person)))
    }

    /// A person has seen a row, or wants it to count as unread; nil: all rows.
    func mark(isSeen: Bool, _ row: Key?, by person: String, messageID: String?, to listener: ActionListener) {
        guard !hasEnded, let kept else {
            let message = "The list \(name) cannot be read at the moment."
            return listener.tell(.error(id: messageID, code: .unavailable, message: message, after: 5000))
        }
        restoreUnread()
        _ = unread.meet(person)
        if messageID != nil { listener.tell(.ok(OK(id: messageID, list: name))) }
        let rows = row.map { [$0] } ?? (isSeen ? nil : kept.rows.rows.suffix(UnreadRows.mostRows).map(\.key))
        if let row, kept.rows[row] == nil { return }
        if unread.mark(isSeen: isSeen, rows, by: person) { tellUnread(of: [person]) }
    }

    /// A commit brought rows, and took others away.
    func noteUnread(_ commit: Commit, isNews: Bool) {
        guard description.tracksUnread else { return }
        restoreUnread()
        guard !unread.keys.isEmpty else { return }
        // One that was changed and moved is news as well.
        let inserted = isNews ? commit.rows.suffix(UnreadRows.mostRows).filter(commit.mayHaveInserted) : []
        tellUnread(of: unread.change(inserted: inserted.map(\.key), removed: Set(commit.tombstones.map(\.key))))
    }

    private func restoreUnread() {
        guard let kept else { return }
        unread.restore(kept.unread) { kept.rows[$0] != nil }
    }

    private func tellUnread(of people: [String]) {
        for person in people {
            guard let watches = unread.listeners[person], !watches.isEmpty else { continue }
            let frame = unreadFrame(for: person)
            for (watch, feed) in watches { feed.deliver(.unread(watch, frame)) }
        }
        keepUnread(of: people)
    }

    private func unreadFrame(for person: String) -> SharedFrame {
        let keys = (unread.keys[person] ?? []).map(\.string)
        return SharedFrame(text: ServerMessage.unread(list: name, keys: keys).encoded())
    }

    private func keepUnread(of people: [String]) {
        guard !people.isEmpty, var facts = kept?.facts else { return }
        facts.unread.removeAll { people.contains($0.person) }
        facts.unread += people.map { unread.stored(for: $0) }
        note(facts) { [logger] error in
            if let error { logger.error("Cannot store what people have seen: \(error)") }
        }
    }
}
