package import ListProtocol
import ListStorage
import Locking
import Logging
import Pulling
import WebSockets

/// A list that is served becomes another, or is served no more.
extension LiveList {
    /// As it is described now.
    nonisolated var description: RefreshableList { described.withLock(\.self) }

    /// Whether there is something to refresh it from.
    nonisolated var isRefreshable: Bool { described.withLock { $0.handler != nil } }

    /// How it wants to be pulled.
    nonisolated var pull: PullConfiguration { described.withLock(\.pull) }

    /// The list is described anew. Its rows, its history and those who watch it stay, and a run under way ends as it
    /// began; what follows is by the new description.
    ///
    /// - Parameter hasOtherRows: whether its rows come from elsewhere, or are made otherwise: then it is refreshed, if
    ///   somebody watches it, and else when somebody next does.
    func become(_ description: RefreshableList, hasOtherRows: Bool) {
        guard !hasEnded else { return }
        described.withLock { $0 = description }
        broadcaster.publish(listDescription)
        perform(gate.change(description.gateRules, now: now))
        if !mayLead { resign() }
        readIfChosen()
        if hasOtherRows { changeSource() }
        publishState()
    }

    /// Its description for watchers.
    nonisolated var listDescription: ListDescription {
        let description = description
        return ListDescription(
            list: name, title: description.title, refreshable: description.handler != nil,
            pull: description.pullDescription, noun: description.noun, section: description.section,
            notify: description.notify, actions: description.actionDescriptions, unread: description.tracksUnread)
    }

    private func changeSource() {
        following?.cancel()
        following = nil
        isExhausted = false
        guard isRefreshable else { return }
        if watcherCount > 0 { follow() }
        sourceChanged()
    }

    /// The list is served no more. Its run is asked to stop and ends as cancelled, so that nobody waits for it; its rows
    /// stay in the store, for a list of this name that may come.
    func retire() {
        guard !hasEnded else { return }
        perform(gate.abandon(now: now))
        endActions()
        refuseAttaching()
        broadcaster.dismiss()
        end()
    }
}

/// A list before its server stops.
extension LiveList {
    /// No new run begins. The current one has this long; then it ends as cancelled, which is stored. Where that can't be stored, the
    /// next server to lead the list ends it.
    ///
    /// - Parameter whenDone: called once no run is under way, on the list's thread.
    func drain(within limit: Duration, whenDone: @escaping @Sendable () -> Void) {
        isDraining = true
        gate.drain()
        guard !hasEnded else { return whenDone() }
        let isDone = Locked(false)
        let whenDone: @Sendable () -> Void = { [self] in
            let wasDone = isDone.withLock { isDone in
                defer { isDone = true }
                return isDone
            }
            guard !wasDone else { return }
            post { $0.resign() }
            whenDone()
        }
        // Once those who watch were told: what is posted to a loop from then on comes after that.
        let run = decides ? gate.current?.run : nil
        if let run {
            let waiter = RunWaiter(by: .program) { [self] _ in post { $0.whenActionsAreOver(whenDone) } }
            waiters[run, default: []].append(waiter)
        } else if shared.lead.holdsBack {
            // The end of the last run is told once it is kept.
            shared.whenIdle.append { [self] in whenActionsAreOver(whenDone) }
            tellWhenIdle()
        } else {
            whenActionsAreOver(whenDone)
        }
        executor.schedule(at: now.uptime + limit.milliseconds) { [weak self] in
            self?.assumeIsolated { list in
                list.endActions()
                guard let run, list.gate.current?.run == run else { return }
                list.logger.warning("The server stops before this refresh has ended.", metadata: ["run": "\(run)"])
                list.perform(list.gate.abandon(now: list.now))
            }
        }
        guard store.shared != nil else { return }
        // Its end is kept by then, or the database is away.
        executor.schedule(at: now.uptime + limit.milliseconds + 1000) { [weak self] in
            self?.assumeIsolated { $0.whenActionsAreOver(whenDone) }
        }
    }

    /// Returns when no run is under way any more, `limit` from now at the latest.
    nonisolated func drain(within limit: Duration) async {
        await withCheckedContinuation { continuation in
            post { list in list.drain(within: limit) { continuation.resume() } }
        }
    }
}

/// Entry points for `RefreshableListsTesting`, which drives a list step by step.
extension LiveList {
    /// The run under way; nil where it waits for a store that another holds, and so for the clock.
    package var currentRun: RunID? { queue.isEmpty || queue.isHeld ? gate.current?.run : nil }

    /// Somebody comes to watch, in this process.
    package func session() -> LocalSession { LocalSession(watching: self) }

    /// Begins a refresh from code, and returns its result at once. Nil if the list can't be read.
    package func begin(
        isAfter: Bool = false, whenOver: @escaping @Sendable (FinishedRun?) -> Void = { _ in }
    ) -> RunReference? {
        let answer = Locked<RunReference?>(nil)
        refresh(.init(requester: .program, cause: .code, isAfter: isAfter)) { started in
            answer.withLock { $0 = started?.reference }
        } whenOver: {
            whenOver($0)
        }
        return answer.withLock(\.self)
    }

    /// Reports all changes of phase and all ended runs at once, on the list's thread.
    package nonisolated func hear(
        transitions: @escaping @Sendable (PhaseTransition) -> Void, runs: @escaping @Sendable (FinishedRun) -> Void
    ) {
        self.transitions.hear(transitions)
        finishedRuns.hear(runs)
    }
}
