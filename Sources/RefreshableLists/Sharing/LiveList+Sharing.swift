import KeyedLists
import ListProtocol
import ListStorage
import Logging

/// A list whose store other servers use, too: it goes on by what they commit, and commits where they have left it.
///
///     change, change, facts ──▶ one transaction ──kept──▶ published, each with its revision
///                                  ▲        │ outdated
///                                  └─ read ◀┘              meanwhile the list answers from what it has
///
/// One thing is under way with the store at a time. Changes that come meanwhile are one transaction after it.
extension LiveList {
    /// Does something with the store, after what came before.
    func share(_ entry: SharedWork.Entry, in store: any SharedListStore) {
        guard !hasEnded else { return fail(entry) }
        do { try load() } catch { return entry.conclude(.failure(error)) }
        if let fault = store.fault { return entry.conclude(.failure(fault)) }
        shared.waiting.append(entry)
        continueSharing(in: store)
    }

    /// Keeps what is owed.
    ///
    /// - Parameter then: told `LedElsewhere` where this server has lost the lead since.
    func shareFacts(in store: any SharedListStore, then: @escaping ((any Error)?) -> Void = { _ in }) {
        let fence = shared.lead.fence
        let conclude = { [self] (error: (any Error)?) in
            then(error ?? (fence == nil || fence == shared.lead.fence ? nil : LedElsewhere()))
        }
        share(.facts(conclude), in: store)
    }

    /// Other servers may have changed the list: what is newer is read.
    func readShared(then: (((any Error)?) -> Void)? = nil) {
        guard let store = store.shared, kept != nil else { return then?(nil) ?? () }
        shared.isReadDue = true
        if let then { shared.readers.append(then) }
        continueSharing(in: store)
    }

    /// What the run under way reports is told at other servers, too: the newest, with the next transaction.
    func tellOthers(_ progress: RunProgress) {
        guard let store = store.shared, shared.lead.fence != nil else { return }
        shared.lead.progress = progress
        // One that waits tells the newest.
        guard !shared.waiting.contains(where: \.isFacts) else { return }
        shareFacts(in: store)
    }

    /// The database is away, or there again: what people see is marked with that.
    func storeIsThere(_ isThere: Bool) {
        guard store.shared != nil, shared.awaySince != nil || !isThere else { return }
        shared.awaySince = isThere ? nil : shared.awaySince ?? now.date
        // Nobody waits for what is under way.
        if !isThere, let fault = store.fault { for entry in shared.takeWaiting() { entry.conclude(.failure(fault)) } }
        document.forget()
        publishState()
        if isThere { subscribeAgain() }
    }

    /// Gives the list a new epoch, unless its history has what a client knows.
    ///
    /// - Parameter isAhead: looked at again once what other servers have committed was read.
    func renewShared(
        in store: any SharedListStore, while isAhead: @escaping () -> Bool, then: @escaping ((any Error)?) -> Void
    ) {
        readShared { [self] error in
            guard error == nil, isAhead(), let place = kept?.place else { return then(error) }
            // Somebody else's wish is fulfilled by the same.
            shared.renewers.append(then)
            guard shared.renewers.count == 1 else { return }
            store.renew(name, at: place) { result in self.post { $0.renewed(result) } }
        }
    }

    private func renewed(_ result: Result<KeepOutcome, ListStoreError>) {
        let renewers = shared.renewers
        shared.renewers = []
        readShared { error in for then in renewers { then(result.error ?? error) } }
    }

    func continueSharing(in store: any SharedListStore) {
        guard shared.current == nil, let kept else { return }
        sendOutgoing(in: store)
        if shared.lead.isDue {
            shared.lead.isDue = false
            shared.current = .leading
            store.lead(name, in: kept.epoch) { result in self.post { $0.led(result, in: store) } }
        } else if shared.isReadDue {
            let keys = shared.asks.keys.union(shared.conflicting)
            let people = unreadScope
            shared.current = .reading(
                shared.readers, recalls: shared.asks.recalls, people: people)
            shared.isReadDue = false
            shared.noteRead(.begun)
            shared.readers = []
            shared.asks.recalls = [:]
            shared.conflicting = []
            let known = shared.isWholeDue ? nil : kept.place
            shared.isWholeDue = false
            store.read(name, since: known, awaiting: Array(keys), unreadOf: people) { result in
                self.post { $0.found(result, in: store) }
            }
        } else if !shared.waiting.isEmpty, !gather(in: store) {
            makeBatch(in: store)
        }
        tellWhenIdle()
    }

    /// Where a crowd asks, what it is answered is kept together.
    ///
    /// - Returns: whether that is waited for. Rows wait for nothing.
    private func gather(in store: any SharedListStore) -> Bool {
        guard now.uptime < shared.gatheringEnd, shared.waiting.allSatisfy(\.isFacts), !isDraining else { return false }
        guard !shared.isGathering else { return true }
        shared.isGathering = true
        executor.schedule(at: shared.gatheringEnd) { [weak self] in
            self?.assumeIsolated { list in
                list.shared.isGathering = false
                list.continueSharing(in: store)
            }
        }
        return true
    }

    // MARK: Reading

    private func found(_ result: Result<StoredUpdate, ListStoreError>, in store: any SharedListStore) {
        guard case .reading(let readers, let recalls, let people)? = shared.current else { return }
        shared.current = .processing
        var fault: (any Error)?
        var isTaken = false
        do { isTaken = try take(try result.get(), of: people) } catch is PatchError {
            // The rows that are here are wrong, so all of them are read.
            shared.isWholeDue = true
            shared.isReadDue = true
        } catch {
            fault = error
            logUnreadable(error)
            let waiters = shared.lead.waiters
            shared.lead.waiters = []
            for waiter in waiters { waiter() }
        }
        if isTaken { shared.noteRead(.done) }
        if isTaken || fault != nil {
            for reader in readers { reader(fault) }
            for recall in recalls.values.joined() { recall(isTaken) }
        } else {
            // It is read again, and what others have committed is not here before that.
            shared.readers = readers + shared.readers
            shared.asks.recalls.merge(recalls) { $0 + $1 }
        }
        shared.current = nil
        guard !hasEnded else { return endSharing() }
        // Where it can't be read, what waits can't be kept either; the next notice, or the database's return, tries again.
        if fault != nil {
            for entry in shared.takeWaiting() { entry.conclude(fault.map { .failure($0) } ?? .success(0)) }
            return tellWhenIdle()
        }
        continueSharing(in: store)
    }

    /// - Returns: false where it is read again.
    private func take(_ update: StoredUpdate, of people: UnreadScope) throws -> Bool {
        guard var kept else { return true }
        let before = kept.current
        guard update.place.epoch == before.epoch || update.place.revision > before.revision else {
            // All rows were asked for, without a place: by the place, the store gives it an epoch beyond that.
            shared.isReadDue = true
            return false
        }
        let arrived = arrivals(with: update, to: kept)
        self.kept = nil
        var former: [Key: Position]?
        do {
            defer { self.kept = kept }
            if broadcaster.hasWindows { former = update.rows.formerPositions(in: kept.rows) }
            try kept.take(update, asLeader: leads(by: update.agreement))
        }
        defer { publishFigures() }
        if case .whole(_, let actionRuns, _) = update.rows, leads(by: update.agreement) { takeOverActions(actionRuns) }
        if shared.lead.fence == nil {
            learn(update.agreement.actionRuns)
            learnUnread(update.agreement.unread)
        }
        // Answers and the beginning of a run go before rows that came with them, and its end after them. What is told of a former
        // epoch goes before the rows of the next one.
        let isSameEpoch = kept.epoch == before.epoch
        if !isSameEpoch { forgetAnswers() }
        let isEnd = isSameEpoch && shared.lead.willEnd(update.agreement, gate.current?.run)
        if !isEnd { take(update.agreement) }
        if !isSameEpoch {
            keepLead()
            sendAgain()
        }
        if kept.current != before || kept.hasOtherFacts { show(kept, after: before, from: former) }
        if kept.current != before { tellArrivals(with: arrived) }
        if isEnd { take(update.agreement) }
        if case .everybody = people, shared.lead.fence != nil { takeOverUnread(update.agreement.unread) }
        leadIfGiven()
        tellWaiters()
        // Not before the rows are shown: those who begin to watch would have them, and be told of them as of a change.
        tellLeadWaiters()
        return true
    }

    /// What the database does not know of any more has not been answered.
    private func forgetAnswers() {
        remembered.forget()
        rememberedPushes.forget()
    }

    /// What a leader has told in the former epoch, the database may not know: it is kept again.
    private func keepLead() {
        guard shared.lead.fence != nil, var facts = kept?.facts else { return }
        facts.runs = max(facts.runs, gate.runs)
        kept?.owe(facts)
        shared.waiting.append(.facts { _ in })
        keepAllUnread()
    }

    /// - Parameter former: where the rows were that have changed; nil where nobody knows.
    private func show(_ kept: PersistentList, after before: ListRevision, from former: [Key: Position]?) {
        document.forget()
        // What others have changed since the run began is newer than what it yields.
        if shared.lead.fence != nil, let patch = kept.rows.patch(since: before.revision) {
            work?.crossed.formUnion(patch.set.map(\.key) + patch.remove)
        }
        if kept.epoch == before.epoch { noteUnreadOfOthers(since: before.revision) }
        if kept.epoch == before.epoch, let patch = kept.rows.patch(since: before.revision) {
            broadcaster.publish(patch, of: kept, from: former)
        } else {
            broadcaster.publishAnew(kept, after: before.revision)
        }
        if kept.current != before { readWindowsAgain() }
        gate.skipRuns(upTo: kept.facts.runs)
        counts.revisions += kept.revision > before.revision ? 1 : 0
        counts.revisionsTaken += max(kept.revision - before.revision, 0)
        if kept.hasOtherFacts || kept.epoch != before.epoch { publishState() }
    }

    // MARK: The end

    /// Nothing is begun any more; what waits hears of it.
    func endSharing() {
        for entry in shared.takeWaiting() { fail(entry) }
        shared.isReadDue = false
        let (asked, recalls, readers) = (
            Array(shared.asks.sent.values) + shared.asks.takeUnsent(), shared.asks.recalls, shared.readers
        )
        let leadWaiters = shared.lead.waiters
        (shared.asks.sent, shared.asks.recalls, shared.readers, shared.lead.waiters) = ([:], [:], [], [])
        for ask in asked { ask.then(nil) }
        for recall in recalls.values.joined() { recall(false) }
        for reader in readers { reader(CancellationError()) }
        for waiter in leadWaiters { waiter() }
        tellWhenIdle()
    }

    /// Returns once what the list has to keep in a shared store is kept, or could not be.
    nonisolated func finishSharing() async {
        await withCheckedContinuation { continuation in
            post { list in
                list.shared.whenIdle.append { continuation.resume() }
                list.tellWhenIdle()
            }
        }
    }

    func tellWhenIdle() {
        guard shared.isIdle else { return }
        let whenIdle = shared.whenIdle
        shared.whenIdle = []
        for body in whenIdle { body() }
    }

    /// The list is about to be gone: those who begin to watch are told now, for later nobody hears it.
    func refuseAttaching() {
        let attaching = shared.attaching
        shared.attaching = [:]
        for attaching in attaching.values.joined() { attaching.refuse() }
    }

    private func fail(_ entry: SharedWork.Entry) {
        // It says itself that the list has ended, where it has words for that.
        guard case .change(let change) = entry else { return entry.conclude(.failure(CancellationError())) }
        do {
            if try change.make() != nil { change.then(.failure(CancellationError())) }
        } catch {
            change.then(.failure(error))
        }
    }
}
