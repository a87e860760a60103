import KeyedLists
import ListProtocol
import ListStorage

/// What waits for a store that other servers use is made on a copy of the rows, and kept in one transaction.
extension LiveList {
    /// Makes what waits on a copy of the rows, one revision for each change. What people are sent stays as it is until that is
    /// kept.
    func makeBatch(in store: any SharedListStore) {
        guard let before = kept?.rows else { return }
        var batch = SharedWork.Batch(entries: shared.waiting)
        shared.waiting = []
        if let fault = store.fault {
            for entry in batch.entries { entry.conclude(.failure(fault)) }
            return
        }
        shared.current = .processing
        var unchecked: [SharedWork.Entry] = []
        for (index, entry) in batch.entries.enumerated() {
            guard case .change(let change) = entry else { continue }
            do { if try !make(change, in: &batch) { unchecked.append(entry) } } catch {
                guard batch.hasCommits else {
                    if change.reading == .done { change.then(.failure(error)) } else { unchecked.append(entry) }
                    continue
                }
                // It is refused for what is not kept yet: it comes after that.
                shared.waiting = batch.entries[index...] + shared.waiting
                batch.entries.removeSubrange(index...)
                break
            }
        }
        if !unchecked.isEmpty {
            shared.waiting = unchecked + shared.waiting
            shared.isReadDue = true
        }
        guard let after = kept?.rows, let place = kept?.place(at: before.revision) else { return }
        kept?.goBack(to: before)
        batch.rows = after
        send(batch, after: place, in: store)
    }

    /// - Returns: false where it changes nothing of rows that others may have changed since it came, and where the same is being made:
    ///   it is answered alike once that is kept.
    private func make(_ change: SharedEntry, in batch: inout SharedWork.Batch) throws -> Bool {
        guard !batch.isMaking(change.record) else { return false }
        guard let planned = try change.make() else { return true }
        let commit = try kept?.makeAhead(planned.apply)
        guard let current = kept?.current else { return true }
        guard commit != nil || batch.hasCommits || change.reading == .done || change.run != nil else { return false }
        batch.made.append((change, commit, current.revision))
        if let record = change.record { batch.remember(record, at: current) }
        return true
    }

    private func send(_ batch: SharedWork.Batch, after place: StoredPlace, in store: any SharedListStore) {
        let changes = batch.rows.changes(since: place.revision).flatMap { $0.isEmpty ? nil : $0 }
        let facts = kept?.takeFacts()
        guard
            changes != nil || facts != nil || !shared.lead.answers.isEmpty || !batch.answers.isEmpty
                || shared.lead.fence != nil && batch.hasFacts
        else {
            conclude(batch, at: place)
            shared.current = nil
            return continueSharing(in: store)
        }
        var change = SharedChange(place: place, rows: changes, facts: facts ?? kept?.facts.withoutAdditions ?? .init())
        change.leading = shared.lead.fence.map { ($0, leaderWords) }
        change.answers = shared.lead.answers.map { .init(key: $0, answer: $1) } + batch.answers
        change.newKeys = batch.answers.map(\.key)
        var batch = batch
        batch.state = decidedState
        shared.lead.answers = [:]
        shared.current = .keeping(batch, change)
        store.keep(change, of: name) { result in self.post { $0.kept(result, in: store) } }
    }

    /// What the others are told of the list.
    private var leaderWords: [UInt8]? {
        currentState.map { SharedState($0, shared.lead.progress).words(of: name) }
    }

    private func kept(_ result: Result<KeepOutcome, ListStoreError>, in store: any SharedListStore) {
        guard case .keeping(let batch, let change)? = shared.current else { return }
        shared.current = .processing
        switch result {
        case .success(.kept):
            shared.gatheringEnd = now.uptime + SharedWork.pause(after: change.answers.count)
            conclude(batch, at: change.next)
        case .success(.outdated):
            kept?.oweAgain(change.facts)
            shared.lead.oweAgain(change.decisions)
            shared.conflicting.formUnion(change.newKeys)
            shared.waiting = batch.unconcluded + shared.waiting
            shared.isReadDue = true
        case .failure(let error):
            kept?.oweAgain(change.facts)
            // What was decided stands, and is kept later.
            if shared.lead.fence != nil { shared.lead.oweAgain(change.decisions) }
            // What became of it is found out when the database is there again.
            shared.isReadDue = true
            for entry in batch.unconcluded { entry.conclude(.failure(error)) }
        }
        shared.current = nil
        guard !hasEnded else { return endSharing() }
        if case .failure = result, shared.waiting.isEmpty, shared.readers.isEmpty { return tellWhenIdle() }
        continueSharing(in: store)
    }

    /// It is kept: everybody is told.
    private func conclude(_ batch: SharedWork.Batch, at place: StoredPlace) {
        kept?.adopt(batch.rows, at: place, now)
        guard let kept else { return }
        for (entry, commit, revision) in batch.made {
            if let commit {
                // Of a run that has ended meanwhile nobody expects rows: they are a change like others.
                publish(commit, by: entry.run.flatMap { work?.id == $0 ? $0 : nil }, of: kept)
            }
            // As it is remembered: what came after it in the same transaction is not its own.
            entry.then(.success(revision))
        }
        for case .facts(let then) in batch.entries { then(nil) }
        // More may have been decided since: this much of it is kept, and rows of a run never come before it.
        if shared.lead.holdsBack, let state = batch.state {
            shared.lead.told = state
            publishState()
        }
        publishFigures()
    }
}
