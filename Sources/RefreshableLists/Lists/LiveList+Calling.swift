import KeyedLists

/// Code refreshes the list.
extension LiveList {
    /// How code refreshes this list; nil where there is nothing to refresh it.
    public nonisolated var refresh: RefreshAction? { isRefreshable ? RefreshAction(self) : nil }

    /// A call wants a run, and to know how it ends.
    func ask(_ call: RefreshCall, isAfter: Bool) {
        guard !call.isOver else { return }
        guard !hasEnded else { return call.end(.cancelled) }
        refresh(.init(requester: call.requester, cause: .code, isAfter: isAfter)) { answer in
            switch answer {
            case .run, .tooSoon: break
            case .refused(let reason): call.end(.failure(RefreshFailure(reason, code: "refused")))
            case nil:
                call.end(.failure(RefreshFailure("The list cannot be read at the moment.", code: "unavailable")))
            }
        } whenOver: { run in
            call.end(run?.outcome ?? .cancelled)
        }
    }

    /// A call no longer waits. A run that was to come for it alone does not come.
    func withdraw(_ call: RefreshCall) { withdraw(waiting: call.requester) }

    /// Code ends the run under way. Its handler counts as overdue until it has heeded that.
    func finish() {
        guard let work, let current = gate.current, current.run == work.id, current.cancelledAt == nil else { return }
        let cancel = work.cancel
        commit(by: work.id) { [self] in
            guard let current = self.work, current.id == work.id else { return nil }
            guard !current.rows.isEmpty else { return RowsChange(weight: 0) { _ in nil } }
            return .rows(current.rows, sparing: current.crossed, of: kept?.rows.count ?? 0, at: now)
        } then: { [self] error in
            let outcome = error.map { RefreshOutcome.failure(explain($0)) } ?? .success
            perform(gate.finished(work.id, outcome, now: now))
            cancel?()
        }
    }
}
