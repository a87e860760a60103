import KeyedLists
import ListStorage

/// A list that other servers change, too. Its rows are where it was last read or kept, and nothing of them is in doubt.
extension PersistentList {
    /// Where it is in its history.
    var place: StoredPlace { place(at: rows.revision) }

    /// Where it was, before changes that are not kept yet.
    func place(at revision: Revision) -> StoredPlace { StoredPlace(epoch: epoch, revision: revision, tag: tag) }

    /// Makes a change that is not kept yet. Nobody must see it.
    mutating func makeAhead(_ change: (inout KeyedList) throws -> Commit?) throws -> Commit? { try change(&rows) }

    /// Takes back what was made ahead.
    mutating func goBack(to rows: KeyedList) { self.rows = rows }

    /// What was made ahead is kept.
    mutating func adopt(_ rows: KeyedList, at place: StoredPlace, _ now: Moment) {
        self.rows = rows
        tag = place.tag
        prune(at: now)
    }

    /// The facts that are to be kept; nil: they are.
    mutating func takeFacts() -> StoredFacts? {
        guard owesFacts else { return nil }
        defer { factsWereKept() }
        return facts
    }

    /// Facts could not be kept.
    mutating func oweAgain(_ sent: StoredFacts) {
        facts.actionRuns = sent.actionRuns + facts.actionRuns
        facts.unread = sent.unread + facts.unread
        owesFacts = true
    }

    /// Goes on to where the store is.
    ///
    /// - Throws: `PatchError` where what is newer does not fit the rows that are here.
    mutating func take(_ update: StoredUpdate, asLeader isLeader: Bool) throws(PatchError) {
        switch update.rows {
        case .changes(let changes): try rows.take(changes)
        case .whole(let rows, _, _): self.rows = rows
        }
        epoch = update.place.epoch
        tag = update.place.tag
        let (actionRuns, unread, runs) = (facts.actionRuns, facts.unread, facts.runs)
        hasOtherFacts = !isLeader && facts.withoutAdditions != update.facts
        // A leader has said them itself.
        if hasOtherFacts { facts = update.facts }
        facts.runs = max(runs, update.facts.runs)
        (facts.actionRuns, facts.unread) = (actionRuns, unread)
    }
}

extension StoredUpdate.Rows {
    /// Where the rows are that are about to change; nil where nobody knows which these are.
    func formerPositions(in list: KeyedList) -> [Key: Position]? {
        guard case .changes(let changes) = self else { return nil }
        return list.positions(of: changes.rows.map(\.key) + changes.tombstones.map(\.key))
    }
}
