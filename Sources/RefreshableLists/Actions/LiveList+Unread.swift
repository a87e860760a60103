import KeyedLists
import ListProtocol
import ListStorage
import Logging
import WebSockets

/// Who has not seen what. Of several servers, the one that leads the list decides; the others tell it what people have seen, and read
/// what it keeps.
extension LiveList {
    /// Somebody who is known begins to watch: they are told what is unread, now and whenever that changes.
    func tellUnread(to person: String, watching watch: WatchID, over feed: LoopFeed) {
        guard description.tracksUnread, kept != nil else { return }
        restoreUnread()
        unread.listeners[person, default: [:]][watch] = feed
        let tell = { [self] in feed.deliver(.unread(watch, unreadFrame(for: person))) }
        guard unread.keys[person] == nil else { return tell() }
        // What comes from then on is unread, so they are known before they are told that nothing is.
        let mark = UnreadMark(kind: .met, person: person, row: nil)
        apply(mark, then: tell)
    }

    /// A person has seen a row, or wants it to count as unread; nil: all rows.
    func mark(isSeen: Bool, _ row: Key?, by person: String, messageID: String?, to listener: ActionListener) {
        let answer = { [name] (isHeard: Bool) in
            guard isHeard else {
                let message = "The list \(name) cannot be read at the moment."
                return listener.tell(.error(id: messageID, code: .unavailable, message: message, after: 5000))
            }
            if messageID != nil { listener.tell(.ok(OK(id: messageID, list: name))) }
        }
        guard !hasEnded, kept != nil else { return answer(false) }
        let mark = UnreadMark(kind: isSeen ? .seen : .unseen, person: person, row: row)
        guard decides else { return ask(.mark(mark), of: nil) { answer($0 != nil) } }
        answer(true)
        apply(mark)
    }

    /// Does what somebody says of rows, here or by the server that leads.
    func apply(_ mark: UnreadMark, then: @escaping () -> Void = {}) {
        guard description.tracksUnread, let kept else { return then() }
        guard decides else { return ask(.mark(mark), of: nil) { _ in then() } }
        guard knowsUnread else { return unread.postponed.append { [self] in apply(mark, then: then) } }
        defer { then() }
        restoreUnread()
        let isNew = unread.meet(mark.person)
        let isSeen = mark.kind == .seen
        let rows = mark.row.map { [$0] } ?? (isSeen ? nil : kept.rows.rows.suffix(UnreadRows.mostRows).map(\.key))
        let isKnown = mark.row.map { kept.rows[$0] != nil } ?? true
        if mark.kind != .met, isKnown, unread.mark(isSeen: isSeen, rows, by: mark.person) {
            tellUnread(of: [mark.person])
        } else if isNew {
            keepUnread(of: [mark.person])
        }
    }

    /// A commit brought rows, and took others away.
    func noteUnread(_ commit: Commit, isNews: Bool) {
        guard description.tracksUnread, knowsUnread else { return }
        noteUnread(
            commit.rows.filter(commit.mayHaveInserted), removed: commit.tombstones, upTo: commit.revision,
            isNews: isNews)
    }

    private func noteUnread(_ inserted: [PlacedRow], removed: [Tombstone], upTo revision: Revision, isNews: Bool) {
        restoreUnread(upTo: revision - 1)
        guard !unread.keys.isEmpty else { return }
        let news = isNews ? inserted.suffix(UnreadRows.mostRows).map(\.key) : []
        let people = unread.change(inserted: news, removed: Set(removed.map(\.key)))
        if people.isEmpty, !inserted.isEmpty { return keepUnread(of: []) }
        tellUnread(of: people)
    }

    private func tellUnread(of people: [String]) {
        tellListeners(people)
        if !people.isEmpty { keepUnread(of: people) }
    }

    private func tellListeners(_ people: [String]) {
        for person in people {
            guard let watches = unread.listeners[person], !watches.isEmpty else { continue }
            let frame = unreadFrame(for: person)
            for (watch, feed) in watches { feed.deliver(.unread(watch, frame)) }
        }
    }

    private func restoreUnread(upTo revision: Revision? = nil) {
        guard let kept else { return }
        let changed = unread.restore(kept.unread, of: kept.rows, upTo: revision ?? kept.rows.revision)
        if decides, !changed.isEmpty { tellUnread(of: changed) }
    }

    private func unreadFrame(for person: String) -> SharedFrame {
        let keys = (unread.keys[person] ?? []).map(\.string)
        return SharedFrame(text: ServerMessage.unread(list: name, keys: keys).encoded())
    }

    private func keepUnread(of people: [String]) {
        guard var facts = kept?.facts, let revision = kept?.rows.revision else { return }
        let entries = people.map { unread.stored(for: $0) } + [UnreadRows.stored(upTo: revision)]
        let changed = Set(entries.map(\.person))
        facts.unread.removeAll { changed.contains($0.person) }
        facts.unread += entries
        note(facts) { [logger] error in
            if let error { logger.error("Cannot store what people have seen: \(error)") }
        }
    }
}

/// Of a list that several servers have.
extension LiveList {
    /// Whether this server decides what is unread: it is the only one, or leads the list and has read what the leader before has kept.
    private var knowsUnread: Bool { store.shared == nil || shared.lead.fence != nil && shared.lead.knowsUnread }

    /// What the next read is to say of people.
    var unreadScope: UnreadScope {
        guard description.tracksUnread else { return .changed([]) }
        guard shared.lead.fence == nil else { return shared.lead.knowsUnread ? .changed([]) : .everybody }
        return .changed(unread.listeners.filter { !$0.value.isEmpty }.keys.map { unread.stored(for: $0) })
    }

    /// This server leads the list, and has read what was kept of everybody.
    func takeOverUnread(_ stored: [StoredUnread]) {
        guard let kept else { return }
        shared.lead.knowsUnread = true
        let before = unread.keys
        let changed = unread.restore(stored, of: kept.rows, upTo: kept.rows.revision, again: true)
        tellListeners(unread.keys.keys.filter { unread.keys[$0] != before[$0] && !changed.contains($0) })
        tellUnread(of: changed)
        applyPostponed()
    }

    private func applyPostponed() {
        let postponed = unread.postponed
        unread.postponed = []
        for apply in postponed { apply() }
    }

    /// This server leads the list no more: what waits is for the next one to do.
    func forgetUnread() {
        shared.lead.knowsUnread = false
        applyPostponed()
    }

    /// The leader has said something of people.
    func learnUnread(_ stored: [StoredUnread]) {
        guard description.tracksUnread, !stored.isEmpty else { return }
        restoreUnread()
        tellListeners(unread.take(stored))
    }

    /// Other servers have brought rows and taken others away, since a revision.
    func noteUnreadOfOthers(since revision: Revision) {
        guard description.tracksUnread, knowsUnread, let rows = kept?.rows,
            let changes = rows.changes(since: revision)
        else { return }
        noteUnread(
            changes.rows.filter { $0.isNew(since: revision) }, removed: changes.tombstones, upTo: rows.revision,
            isNews: true)
    }

    /// All of it is kept once more: a database that was restored may not know it.
    func keepAllUnread() {
        if knowsUnread, !unread.keys.isEmpty { keepUnread(of: Array(unread.keys.keys)) }
    }
}
