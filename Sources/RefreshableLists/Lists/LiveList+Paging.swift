import KeyedLists
import ListProtocol
import ListSources

/// The list grows at its end, a page at a time.
extension LiveList {
    /// Somebody wants the rows that follow the one they see last, and hears at once what came of it.
    func more(after key: Key, by session: String, messageID: String?, for socket: UInt64, to feed: LoopFeed) {
        let (reference, actions) = page(after: key, by: session)
        if let messageID {
            let ok = OK(id: messageID, list: name, run: reference)
            feed.deliver(.replied(socket: socket, ServerMessage.ok(ok).encoded()))
        }
        perform(actions)
    }

    /// What loads the page after the last row.
    var pageHandler: RefreshHandler? {
        guard let pages = description.pages, let last = kept?.rows.last else { return nil }
        return pages(last.row)
    }

    /// The page has come: what the list has of it is brought up to date, the rest goes to the end.
    func append(_ page: MorePage, by work: RunWork) {
        self.work?.isLastPage = page.isLast
        finish(work.id) { [self] in
            RowsChange(weight: page.rows.count) { [limits, crossed = self.work?.crossed ?? [], date = now.date] list in
                if let failure = RefreshFailure.limits(limits, exceededBy: page.rows) { throw failure }
                return list.commit(try Self.edits(page.rows, of: list, sparing: crossed), at: date)
            }
        }
    }

    /// Begins a page, or says why there is none.
    func page(after key: Key, by session: String) -> (RunReference, [RefreshGate.Action]) {
        guard description.pages != nil else { return (.noRun(.refused, message: "This list comes in one piece."), []) }
        guard let kept else { return (.noRun(.refused, message: "The list cannot be read at the moment."), []) }
        if gate.current?.isPage ?? true {
            if isExhausted { return (.noRun(.exhausted), []) }
            guard kept.rows.last?.key == key else { return (.noRun(.spent), []) }
        }
        let (answer, actions) = gate.requestPage(.session(session), now: now)
        keepRunNumbers()
        return (answer.reference, actions)
    }

    private static func edits(_ rows: [Row], of list: KeyedList, sparing crossed: Set<Key>) throws(DuplicateKey)
        -> [Edit]
    {
        var seen: Set<Key> = []
        for row in rows where !seen.insert(row.key).inserted { throw DuplicateKey(key: row.key) }
        return rows.filter { !crossed.contains($0.key) }.map { .set($0, list[$0.key] == nil ? .last : .kept) }
    }
}
