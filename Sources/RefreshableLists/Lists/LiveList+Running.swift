import KeyedLists
import ListProtocol
import ListSources
import ListStorage
import Logging

/// The handler runs, and its rows become the list.
extension LiveList {
    /// More handlers than this that never return, and the list's runs fail at once instead of adding one.
    private static var mostOverdueHandlers: Int { 4 }

    func start(_ id: RunID, _ cause: RefreshCause) {
        if cause != .more { hasChanged = false }
        shared.lead.progress = nil
        work = RunWork(id: id, cause: cause, of: description, startedAt: gate.current?.startedAt ?? now)
        // A handler begins only once its run's number is kept.
        guard var facts = kept?.facts else { return }
        facts.runs = gate.runs
        note(facts) { [self] error in
            guard work?.id == id, gate.current?.run == id else { return }
            if let error { return perform(gate.finished(id, .failure(explain(error)), now: now)) }
            isStopping ? perform(gate.finished(id, .cancelled, now: now)) : beginHandler(id, cause)
        }
    }

    private func beginHandler(_ id: RunID, _ cause: RefreshCause) {
        guard let handler = cause == .more ? pageHandler : description.handler(for: cause) else {
            return perform(gate.finished(id, .failure(.nothingToRefresh), now: now))
        }
        guard overdueHandlers < Self.mostOverdueHandlers else {
            return perform(gate.finished(id, .failure(.tooManyOverdue), now: now))
        }
        // Weak: a handler may keep its `done` in something that the list's own description holds.
        let run = RefreshRun(id: id, cause: cause) { [weak self, heading = description.heading] event in
            let event = event.headed(by: heading)
            self?.post { $0.heard(event, from: id) }
        }
        work?.cancel = handler.begin(run) { [weak self] in await self?.windowsToRead() ?? [:] }
    }

    /// Numbers of runs are stored before they are published, so that no later run can have them, even after a crash.
    ///
    /// While another holds the store, they are kept in their turn: what the store notes beside its file speaks for them until
    /// then. Where the store fails, the run will fail as well, when it is to begin.
    func keepRunNumbers() {
        guard var facts = kept?.facts, facts.runs != gate.runs else { return }
        facts.runs = gate.runs
        let run = RunID(gate.runs)
        note(facts) { [logger] error in
            guard let error else { return }
            logger.error("Cannot store the number of a run yet: \(error)", metadata: ["run": "\(run)"])
        }
    }

    private func heard(_ event: RunEvent, from id: RunID) {
        // A second reference to its rows here would have all of them copied for each that come.
        guard !hasEnded, work?.id == id, gate.current?.run == id else {
            if event.isEnd { overdueHandlers -= 1 }
            return logIfLate(event, from: id)
        }
        switch event {
        case .rows where isStopping, .progress where isStopping: break
        case .rows(let rows): yielded(rows, by: id)
        case .progress(let progress):
            broadcaster.publish(progress, of: id)
            tellOthers(progress)
            perform(gate.wasActive(id, now: now))
        case .returned:
            finish(id) { [self] in
                self.work.map { .rows($0.rows, sparing: $0.crossed, of: kept?.rows.count ?? 0, at: now) }
            }
        case .edited:
            self.work?.claimEdits()
            finish(id) { RowsChange(weight: 0) { _ in nil } }
        case .page(let page): if let work { append(page, by: work) }
        case .windows(let reads): finish(id, with: reads)
        case .threw(let error):
            self.work?.cancel = nil
            perform(gate.finished(id, outcome(of: error), now: now))
        }
    }

    /// Tells the log once of a run that its handler left work behind, which yields rows that nobody gets.
    private func logIfLate(_ event: RunEvent, from id: RunID) {
        guard case .rows = event, !hasEnded, lateRun != id, let outcome = remembered[id]?.outcome else { return }
        lateRun = id
        // One that was asked to stop may take its time.
        let wasStopped = if case .failure = outcome { false } else { !outcome.isSuccess }
        logger.log(
            level: wasStopped ? .debug : .warning,
            "Rows that were yielded after their run had ended are dropped: await all work inside the handler.",
            metadata: ["run": "\(id)"])
    }

    /// The run was asked to stop: what its handler gives until it heeds that is late.
    private var isStopping: Bool { gate.current?.cancelledAt != nil }

    private func yielded(_ rows: [ListRow], by id: RunID) {
        if let failure = RefreshFailure.limits(limits, exceededBy: rows) {
            work?.cancel?()
            return perform(gate.finished(id, .failure(failure), now: now))
        }
        // So many at once would hold up those who watch.
        work?.add(rows.count > heavyCount ? rows : kept?.rows.sharing(rows) ?? rows)
        perform(gate.wasActive(id, now: now))
        flush()
    }

    /// Commits the rows of a stream, twenty times a second at most.
    private func flush() {
        guard let work, !isStopping, !work.isFlushScheduled, let moment = work.nextFlush(now: now) else { return }
        self.work?.isFlushScheduled = true
        let id = work.id
        if moment > now.uptime {
            executor.schedule(at: moment) { [weak self] in self?.assumeIsolated { $0.flush(id) } }
        } else {
            flush(id)
        }
    }

    /// What was yielded by the time that it is its turn is one commit.
    private func flush(_ id: RunID) {
        var taken: (rows: [ListRow], after: Key?)?
        commit(by: id) { [self] in
            guard var work, work.id == id, !isStopping else { return nil }
            // Once, though it is made again where another server was sooner.
            let pending = taken ?? work.takePending(now: now) { kept?.rows[$0] != nil }
            taken = pending
            self.work = work
            return RowsChange(weight: pending.rows.count) { [crossed = work.crossed, date = now.date] in
                $0.stream(pending.rows, after: pending.after, sparing: crossed, at: date)
            }
        } then: { [self] result in
            guard work?.id == id else { return }
            work?.isFlushScheduled = false
            // What was yielded while this had to wait.
            guard case .failure(let error) = result else { return flush() }
            let cancel = work?.cancel
            cancel?()
            perform(gate.finished(id, .failure(explain(error)), now: now))
        }
    }

    /// The handler returned. A run that was asked to stop gives nothing.
    ///
    /// - Parameters:
    ///   - make: what it does to the rows, when it is its turn.
    ///   - then: called once that is kept, before the run ends.
    func finish(_ id: RunID, _ make: @escaping () throws -> RowsChange?, then: @escaping () -> Void = {}) {
        work?.cancel = nil
        gate.returned(id)
        let isWanted = { [self] in work?.id == id && gate.current?.run == id && !isStopping }
        let conclude = { [self] (error: (any Error)?) in
            guard work?.id == id, gate.current?.run == id else { return }
            perform(gate.finished(id, error.map(outcome(of:)) ?? .success, now: now))
        }
        commit(by: id, while: isWanted) {
            guard isWanted() else {
                conclude(CancellationError())
                return nil
            }
            return try make()
        } then: { result in
            if result.error == nil { then() }
            conclude(result.error)
        }
    }

    func end(_ id: RunID, _ outcome: RefreshOutcome) {
        guard let work, work.id == id else { return }
        if work.cancel != nil { overdueHandlers += 1 }
        self.work = nil
        let run = FinishedRun(
            id: id, cause: work.cause, outcome: outcome,
            // One whose number could not be kept in its time has ended before its handler began.
            duration: .milliseconds(max(0, gate.endedAt - work.startedAt.uptime)), changes: work.changes)
        counts.runs[outcome.name, default: 0] += 1
        log(run, detail: work.detail)
        last = LastRun(run)
        if work.cause != .more {
            lastRefresh = id
            if outcome != .cancelled { hasLoaded = true }
        }
        if outcome.isSuccess { isExhausted = work.isLastPage }
        remembered.remember(run)
        if store.shared == nil {
            keepFacts(of: run)
            publishFigures()
            tellWaiters(of: run)
        } else {
            keepSharedEnd(of: run)
        }
        if work.cause != .more { scheduleFollowUpEdit(of: id) }
    }

    private func tellWaiters(of run: FinishedRun) {
        for waiter in waiters.removeValue(forKey: run.id) ?? [] { waiter.tell(run) }
    }

    /// Nobody hears how a run ended before all servers do: where another leads meanwhile, it has ended otherwise.
    private func keepSharedEnd(of run: FinishedRun) {
        let fence = shared.lead.fence
        shared.lead.unkept += 1
        keepFacts(of: run) { [self] in keptSharedEnd(of: run, fence) }
    }

    /// While the database is away, the run is under way for those who watch: another server may lead by then, and end it.
    private func keptSharedEnd(of run: FinishedRun, _ fence: Int?) {
        guard shared.lead.fence == fence, kept?.owesFacts == true else {
            shared.lead.unkept -= 1
            if shared.lead.fence == fence { tellWaiters(of: run) }
            return publish()
        }
        // A server that stops leaves it to the next leader.
        guard !hasEnded else { return }
        afterPause { list in list.keepAgain(run, fence) }
    }

    private func keepAgain(_ run: FinishedRun, _ fence: Int?) {
        guard let facts = kept?.facts else { return }
        note(facts) { [self] _ in keptSharedEnd(of: run, fence) }
    }

    /// The server that ran the list is gone, and its run with it: that is told once it is kept, as by any leader.
    func keepEnd(ofOrphan run: FinishedRun) {
        shared.lead.unkept += 1
        keepAgain(run, shared.lead.fence)
    }

    /// Only success moves "updated"; a failure marks the rows as stale. A page does neither.
    private func keepFacts(of run: FinishedRun, then: @escaping () -> Void = {}) {
        guard var facts = kept?.facts else { return then() }
        switch run.outcome {
        case _ where run.cause == .more: break
        case .success:
            facts.updatedAt = now.date
            facts.staleSince = nil
        case .failure, .timeout: facts.staleSince = facts.staleSince ?? now.date
        case .cancelled: break
        }
        facts.lastRun = last?.encoded()
        note(facts) { [logger] error in
            if let error {
                logger.error("Cannot store the outcome of a run: \(error)", metadata: ["run": "\(run.id)"])
            }
            then()
        }
    }

    /// Edits the list after a run, unless another has begun by then.
    private func scheduleFollowUpEdit(of id: RunID) {
        guard let followUpEdit = description.followUpEdit else { return }
        executor.schedule(at: now.uptime + followUpEdit.delay.milliseconds) { [weak self] in
            self?.assumeIsolated { list in
                guard list.gate.runs == id.number else { return }
                list.commit(by: nil) {
                    let rows = followUpEdit.rows().map { $0.headed(by: list.description.heading) }
                    return .rows(rows, of: list.kept?.rows.count ?? 0, at: list.now)
                } then: { [logger = list.logger] result in
                    if let error = result.error { logger.error("Cannot edit the list: \(error)") }
                }
            }
        }
    }

    /// Cancelled is not failed: a handler that stops because it was asked to has nothing to explain.
    private func outcome(of error: any Error) -> RefreshOutcome {
        if isStopping || error is CancellationError { return .cancelled }
        return .failure(explain(error))
    }

    /// The message of an error; the log has the details when the run ends.
    func explain(_ error: any Error) -> RefreshFailure {
        let (failure, detail) = RefreshFailure.explaining(error)
        work?.detail = detail
        return failure
    }
}

/// The source notices changes by itself, and the list follows.
extension LiveList {
    /// Begins to watch the source for changes, when the list is first watched. Once.
    func follow() {
        guard following == nil, !hasEnded, decides, let changes = description.changes?() else { return }
        following = Task { @concurrent [weak self] in
            for await _ in changes { self?.post { $0.sourceChanged() } }
        }
    }

    /// A run that is under way may have read what was there before: another follows it. While nobody watches, nobody
    /// pays for what nobody sees.
    func sourceChanged() {
        guard watcherCount > 0 else {
            hasChanged = true
            return
        }
        request(.init(requester: .program, cause: .code, isAfter: true))
    }
}

/// The list grows at its end, a page at a time.
extension LiveList {
    /// Requests the rows after a client's last one, and returns at once what came of it.
    func more(after key: Key, by session: String, messageID: String?, for socket: UInt64, to feed: LoopFeed) {
        let tell = { [self] (reference: RunReference) in
            guard let messageID else { return }
            let ok = OK(id: messageID, list: name, run: reference)
            feed.deliver(.replied(socket: socket, ServerMessage.ok(ok).encoded()))
        }
        guard decides else {
            return ask(.more(key), of: .session(session)) {
                tell($0 ?? .noRun(.refused, message: "The list cannot be read at the moment."))
            }
        }
        let (reference, actions) = page(after: key, by: .session(session))
        tell(reference)
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
        let rows = self.work?.admitted(page.rows) ?? []
        finish(work.id) { [self] in
            RowsChange(weight: rows.count) { [limits, crossed = self.work?.crossed ?? [], date = now.date] list in
                if let failure = RefreshFailure.limits(limits, exceededBy: rows) { throw failure }
                return list.commit(try Self.edits(rows, of: list, sparing: crossed), at: date)
            }
        }
    }

    /// Begins a page, or returns why there is none.
    func page(after key: Key, by requester: RefreshGate.Requester) -> (RunReference, [RefreshGate.Action]) {
        guard description.pages != nil else { return (.noRun(.refused, message: "This list comes in one piece."), []) }
        guard let kept else { return (.noRun(.refused, message: "The list cannot be read at the moment."), []) }
        if gate.current?.isPage ?? true {
            if isExhausted { return (.noRun(.exhausted), []) }
            guard kept.rows.last?.key == key else { return (.noRun(.spent), []) }
        }
        let (answer, actions) = gate.requestPage(requester, now: now)
        keepRunNumbers()
        return (answer.reference, actions)
    }

    private static func edits(_ rows: [ListRow], of list: KeyedList, sparing crossed: Set<Key>) throws(DuplicateKey)
        -> [Edit]
    {
        var seen: Set<Key> = []
        for row in rows where !seen.insert(row.key).inserted { throw DuplicateKey(key: row.key) }
        return rows.filter { !crossed.contains($0.key) }.map { .set($0, list[$0.key] == nil ? .last : .kept) }
    }
}
