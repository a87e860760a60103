import KeyedLists
import ListProtocol
import ListStorage
import Logging

/// The handler runs, and its rows become the list.
extension LiveList {
    /// More handlers than this that never return, and the list's runs fail at once instead of adding one.
    private static var mostOverdueHandlers: Int { 4 }

    func start(_ id: RunID, _ cause: RefreshCause) {
        hasLoaded = true
        if cause != .more { hasChanged = false }
        work = RunWork(id: id, cause: cause, mode: description.mode, startedAt: gate.current?.startedAt ?? now)
        guard keepRunNumber(id) else { return }
        guard let handler = cause == .more ? pageHandler : description.handler(for: cause) else {
            return perform(gate.finished(id, .failure(.nothingToRefresh), now: now))
        }
        guard overdueHandlers < Self.mostOverdueHandlers else {
            return perform(gate.finished(id, .failure(.tooManyOverdue), now: now))
        }
        // Weak: a handler may keep its `done` in something that the list's own description holds.
        let run = RefreshRun(id: id, cause: cause) { [weak self] event in self?.post { $0.heard(event, from: id) } }
        work?.cancel = handler.begin(run)
    }

    /// Numbers of runs are kept before anybody hears of them, so that no later run can have them, also after a crash.
    ///
    /// Where the store fails, the run will fail as well, when it is to begin.
    func keepRunNumbers() {
        guard var facts = kept?.facts, facts.runs != gate.runs else { return }
        facts.runs = gate.runs
        do { try kept?.note(facts) } catch {
            logger.error("Cannot keep the number of a run yet: \(error)", metadata: ["run": "\(RunID(gate.runs))"])
        }
    }

    /// A handler begins only once its run's number is kept.
    private func keepRunNumber(_ id: RunID) -> Bool {
        guard var facts = kept?.facts else {
            perform(gate.finished(id, .failure(.unreadable), now: now))
            return false
        }
        facts.runs = gate.runs
        do {
            try kept?.note(facts)
            return true
        } catch {
            perform(gate.finished(id, .failure(explain(error)), now: now))
            return false
        }
    }

    private func heard(_ event: RunEvent, from id: RunID) {
        guard !hasEnded, let work, work.id == id, gate.current?.run == id else {
            if event.isEnd { overdueHandlers -= 1 }
            return
        }
        switch event {
        case .rows where isStopping, .progress where isStopping: break
        case .rows(let rows): yielded(rows, by: id)
        case .progress(let progress):
            audience.publish(progress, of: id)
            perform(gate.wasActive(id, now: now))
        case .returned: finish(id) { try $0.replace(with: work.rows, sparing: work.crossed, at: now.date) }
        case .edited:
            self.work?.claimEdits()
            finish(id) { _ in nil }
        case .page(let page): append(page, by: work)
        case .threw(let error):
            self.work?.cancel = nil
            perform(gate.finished(id, outcome(of: error), now: now))
        }
    }

    /// The run was asked to stop: what its handler gives until it heeds that is late.
    private var isStopping: Bool { gate.current?.cancelledAt != nil }

    private func yielded(_ rows: [Row], by id: RunID) {
        if let failure = RefreshFailure.limits(limits, exceededBy: rows) {
            work?.cancel?()
            return perform(gate.finished(id, .failure(failure), now: now))
        }
        work?.add(rows)
        perform(gate.wasActive(id, now: now))
        flush()
    }

    /// Commits the rows of a stream, twenty times a second at most.
    private func flush() {
        guard var work, !isStopping, !work.isFlushScheduled, let moment = work.nextFlush(now: now) else { return }
        if moment > now.uptime {
            work.isFlushScheduled = true
            self.work = work
            let id = work.id
            return executor.schedule(at: moment) { [weak self] in
                self?.assumeIsolated { list in
                    guard list.work?.id == id else { return }
                    list.work?.isFlushScheduled = false
                    list.flush()
                }
            }
        }
        let pending = work.takePending(now: now) { kept?.rows[$0] != nil }
        self.work = work
        do {
            try commit(by: work.id) {
                $0.stream(pending.rows, after: pending.after, sparing: work.crossed, at: now.date)
            }
        } catch {
            work.cancel?()
            perform(gate.finished(work.id, .failure(explain(error)), now: now))
        }
    }

    /// The handler returned. A run that was asked to stop gives nothing.
    func finish(_ id: RunID, _ change: (inout KeyedList) throws -> Commit?) {
        work?.cancel = nil
        guard !isStopping else { return perform(gate.finished(id, .cancelled, now: now)) }
        do {
            try commit(by: id, change)
            perform(gate.finished(id, .success, now: now))
        } catch {
            perform(gate.finished(id, .failure(explain(error)), now: now))
        }
    }

    func end(_ id: RunID, _ outcome: RefreshOutcome) {
        guard let work, work.id == id else { return }
        if work.cancel != nil { overdueHandlers += 1 }
        self.work = nil
        let run = FinishedRun(
            id: id, cause: work.cause, outcome: outcome,
            duration: .milliseconds(gate.endedAt - work.startedAt.uptime), changes: work.changes)
        tally.runs[outcome.name, default: 0] += 1
        log(run, detail: work.detail)
        last = LastRun(run)
        if work.cause != .more { lastRefresh = id }
        if outcome.isSuccess { isExhausted = work.isLastPage }
        remembered.remember(run)
        keepFacts(of: run)
        for waiter in waiters.removeValue(forKey: id) ?? [] { waiter.tell(run) }
        if work.cause != .more { scheduleAftermath(of: id) }
    }

    /// Only success moves "updated"; a failure marks the rows as stale. A page does neither.
    private func keepFacts(of run: FinishedRun) {
        guard var facts = kept?.facts else { return }
        switch run.outcome {
        case _ where run.cause == .more: break
        case .success:
            facts.updatedAt = now.date
            facts.staleSince = nil
        case .failure, .timeout: facts.staleSince = facts.staleSince ?? now.date
        case .cancelled: break
        }
        facts.lastRun = last?.encoded()
        do { try kept?.note(facts) } catch {
            logger.error("Cannot keep the outcome of a run: \(error)", metadata: ["run": "\(run.id)"])
        }
    }

    /// Edits the list after a run, unless another has begun by then.
    private func scheduleAftermath(of id: RunID) {
        guard let aftermath = description.aftermath else { return }
        executor.schedule(at: now.uptime + aftermath.delay.milliseconds) { [weak self] in
            self?.assumeIsolated { list in
                guard list.gate.runs == id.number else { return }
                do {
                    try list.commit(by: nil) { try $0.replace(with: aftermath.rows(), at: list.now.date) }
                } catch {
                    list.logger.error("Cannot edit the list: \(error)")
                }
            }
        }
    }

    /// Cancelled is not failed: a handler that stops because it was asked to has nothing to explain.
    private func outcome(of error: any Error) -> RefreshOutcome {
        if isStopping || error is CancellationError { return .cancelled }
        return .failure(explain(error))
    }

    /// What people are told of an error; the log has all of it, when the run ends.
    func explain(_ error: any Error) -> RefreshFailure {
        let (failure, detail) = RefreshFailure.explaining(error)
        work?.detail = detail
        return failure
    }
}
