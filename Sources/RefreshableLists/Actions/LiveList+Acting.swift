import KeyedLists
import ListProtocol
import ListStorage
import Logging

/// Requests to act on rows, and their answers.
extension LiveList {
    /// Somebody wants something done to a row. They are answered, and told what becomes of it.
    ///
    /// The request is kept before it is answered, and so before its handler begins: sent again, it is not performed again, whatever
    /// ends in between. So is a request that joins a run: to begin another for it later would be to do it twice.
    func act(
        _ request: ClientMessage.ActionRequest, key: IdempotencyKey, by session: String, messageID: String?,
        to listener: ActionListener
    ) {
        do throws(MessageError) {
            try loadActions(messageID)
            guard decides else {
                if case .use(let name, _) = request { try checkAction(name, messageID) }
                return actElsewhere(request, key: key, by: session, messageID: messageID, to: listener)
            }
            let reference = try answer(request, key: key, by: session, messageID: messageID)
            let tell = { [name] in
                if let messageID { listener.tell(.ok(OK(id: messageID, list: name, run: reference))) }
            }
            guard case .run(let run, let joined) = reference else { return tell() }
            keepActionRuns { [self] error in
                tell()
                acting.listeners[run, default: [:]][session] = listener
                if let state = acting.state(of: key), state.isOver { return self.tell(state) }
                if !joined { begin(run, unless: error) }
            }
        } catch {
            listener.tell(error.answer)
        }
    }

    /// A person does not want a run of an action any more.
    func stopAction(_ run: ActionRuns.ID, by session: String) {
        guard decides else { return ask(.stopAction(run, session: session), of: nil) { _ in } }
        perform(acting.runs.withdraw(session, from: run, now: now))
    }

    /// By the server that leads the list. Its outcome is told here, once it is in the store.
    private func actElsewhere(
        _ request: ClientMessage.ActionRequest, key: IdempotencyKey, by session: String, messageID: String?,
        to listener: ActionListener
    ) {
        whenLeadIsSettled { [self] in
            guard !decides else { return act(request, key: key, by: session, messageID: messageID, to: listener) }
            ask(.act(request, session: session), key: key, of: nil) { [self] reference in
                guard let reference else {
                    let message = "The list \(name) cannot be acted on at the moment."
                    return listener.tell(.error(id: messageID, code: .unavailable, message: message, after: 2000))
                }
                if let messageID { listener.tell(.ok(OK(id: messageID, list: name, run: reference))) }
                guard case .run(let run, _) = reference else { return }
                acting.listeners[run, default: [:]][session] = listener
                if let state = acting.state(of: key), state.isOver { return tell(state) }
                shared.asks.actions.insert(key.bytes)
                readShared()
            }
        }
    }

    /// Another server asks for an action: as if somebody here had.
    ///
    /// - Returns: the answer, and what is to be done once that is kept.
    func actForOthers(
        _ request: ClientMessage.ActionRequest, key: IdempotencyKey, by session: String
    ) -> (RunReference, perform: ((any Error)?) -> Void) {
        do throws(MessageError) {
            try loadActions(nil)
            let reference = try answer(request, key: key, by: session, messageID: nil)
            oweActionRuns()
            guard case .run(let run, joined: false) = reference else { return (reference, { _ in }) }
            return (reference, { [self] in begin(run, unless: $0) })
        } catch {
            return (.noRun(.refused, message: error.message), { _ in })
        }
    }

    /// What became of actions at the server that leads.
    func learn(_ runs: [StoredActionRun]) {
        for run in runs {
            guard let state = acting.learn(run) else { continue }
            if state.isOver { shared.asks.actions.remove(run.key) }
            tell(state)
        }
    }

    /// This server leads from now on: what was under way at the one before is interrupted.
    func takeOverActions(_ runs: [StoredActionRun]) {
        acting.restore(runs, again: true)
        shared.asks.actions = []
        for state in acting.interrupted() { tell(state) }
        keepActionRuns { _ in }
    }

    private func loadActions(_ messageID: String?) throws(MessageError) {
        let fault = MessageError(
            code: .unavailable, message: "The list \(name) cannot be read at the moment.", id: messageID)
        do { try load() } catch {
            logUnreadable(error)
            throw fault
        }
        guard !hasEnded, let kept else { throw fault }
        acting.restore(kept.actionRuns)
    }

    private func answer(
        _ request: ClientMessage.ActionRequest, key: IdempotencyKey, by session: String, messageID: String?
    ) throws(MessageError) -> RunReference {
        if let known = acting.state(of: key) {
            if !known.isOver { acting.runs.join(known.run, by: session) }
            return .run(known.run, joined: true)
        }
        if isDraining { return .noRun(.refused, message: "The server is about to stop.") }
        let answer: ActionRuns.Answer
        switch request {
        case .use(let name, let row):
            try checkAction(name, messageID)
            guard kept?.rows[Key(row)] != nil else { return .noRun(.gone) }
            answer = acting.runs.request(.init(action: name, row: Key(row)), by: session)
        case .mark: preconditionFailure("What was seen is no action of the list.")
        case .undo(let run):
            guard let run = ActionRuns.ID(run) else { return .noRun(.spent) }
            answer = acting.runs.request(undoing: run, by: session, now: now)
        }
        switch answer {
        case .spent: return .noRun(.spent)
        case .refused(let reason): return .noRun(.refused, message: reason)
        case .run(let run, let joined):
            guard let use = acting.runs.current[run]?.use else { return .noRun(.spent) }
            acting.remember(key, beginning(run, use), at: now.date)
            return .run(run.description, joined: joined)
        }
    }

    private func checkAction(_ name: String, _ messageID: String?) throws(MessageError) {
        guard !description.actions.contains(where: { $0.name == name }) else { return }
        throw unknownAction(name, messageID)
    }

    private func unknownAction(_ name: String, _ messageID: String?) -> MessageError {
        let names = description.actions.map(\.name)
        let nearest = Spelling.nearest(to: name, in: names).map { " Did you mean \"\($0)\"?" }
        let known = names.isEmpty ? " It has none." : " Its actions are \(names.joined(separator: ", "))."
        return MessageError(
            code: .badField,
            message: "The list \"\(self.name)\" has no action \"\(name)\"." + (nearest ?? known), id: messageID)
    }

    private func beginning(_ run: ActionRuns.ID, _ use: ActionRuns.Use) -> ActionState {
        ActionState(
            list: name, run: run.description, action: use.action, row: use.row.string,
            undoes: use.undoes?.description, phase: .loading(completed: 0, total: nil, note: nil))
    }

    /// Those who asked for a run are told of its newest state.
    private func tell(_ state: ActionState) {
        var state = state
        // What was done then is in the rows that there are now.
        if case .closing(.success, _, let offer, _) = state.phase {
            let undo = !decides ? offer : acting.runs.undoOffer(of: state.run, now: now).map { Int($0.milliseconds) }
            state.phase = .closing(.success, revision: kept?.rows.revision, undo: undo)
        }
        let listeners = acting.listeners[state.run] ?? [:]
        for listener in listeners.values { listener.tell(.act(state)) }
        if state.isOver { acting.listeners[state.run] = nil }
    }
}

/// An action is performed, and its row becomes another.
extension LiveList {
    /// The request for a run is kept, or could not be.
    private func begin(_ run: String, unless error: (any Error)?) {
        let id = ActionRuns.ID(description: run)
        guard let use = acting.runs.current[id]?.use else { return }
        if let error { return conclude(id, use, .failure(explain(error)), detail: "\(error)") }
        perform(acting.runs.kept(id, now: now))
    }

    /// Stores what is remembered of requests and is not stored yet.
    private func keepActionRuns(then: @escaping ((any Error)?) -> Void) {
        oweActionRuns()
        guard let facts = kept?.facts else { return then(nil) }
        note(facts, then: then)
    }

    private func oweActionRuns() {
        guard var facts = kept?.facts else { return }
        facts.actionRuns += acting.takeUnstored()
        kept?.owe(facts)
    }

    private func perform(_ actions: [ActionRuns.Action]) {
        for action in actions {
            switch action {
            case .begin(let id, let use): begin(id, use)
            case .cancel(let id): acting.tasks[id]?.cancel()
            case .end(let id, let use, let outcome): conclude(id, use, outcome, detail: nil)
            }
        }
        wakeForActions()
        if acting.runs.isEmpty, let whenIdle = acting.whenIdle.take() { whenIdle() }
    }

    private func begin(_ id: ActionRuns.ID, _ use: ActionRuns.Use) {
        let action = description.actions.first { $0.name == use.action }
        guard let action, let row = acting.runs.current[id]?.former?.row ?? kept?.rows[use.row]?.row else {
            let failure = RefreshFailure("The row is not there any more.", code: "gone")
            perform(acting.runs.returned(id, now: now).1)
            return conclude(id, use, .failure(failure), detail: nil)
        }
        guard let handler = use.undoes == nil ? action.handler : action.undo else { return returned(id, nil) }
        let run = ActionRun(id: id.description) { [weak self] progress in
            self?.post { $0.reported(progress, by: id) }
        }
        acting.tasks[id] = Task.detached(executorPreference: HandlerExecutor.shared) { [weak self] in
            let result: (any Error)?
            do {
                try await handler(row, run)
                result = nil
            } catch {
                result = error
            }
            self?.post { $0.returned(id, result) }
        }
    }

    private func reported(_ progress: RunProgress, by id: ActionRuns.ID) {
        guard let use = acting.runs.current[id]?.use else { return }
        acting.runs.wasActive(id, now: now)
        var state = beginning(id, use)
        state.phase = .loading(completed: progress.completed, total: progress.total, note: progress.note)
        tell(state)
        wakeForActions()
        guard store.shared != nil else { return }
        acting.update(state)
        keepActionRuns { _ in }
    }

    private func returned(_ id: ActionRuns.ID, _ error: (any Error)?) {
        acting.tasks[id] = nil
        let (run, actions) = acting.runs.returned(id, now: now)
        defer { perform(actions) }
        guard let run else { return }
        guard let error else { return take(run) }
        if run.cancelledAt != nil || error is CancellationError {
            return conclude(id, run.use, .cancelled, detail: nil)
        }
        let (failure, detail) = RefreshFailure.explaining(error, isAction: true)
        conclude(id, run.use, .failure(failure), detail: detail)
    }

    /// The work is done: its effect and its outcome are kept as one.
    private func take(_ run: ActionRuns.Current) {
        let action = description.actions.first { $0.name == run.use.action }
        let isUndoable = run.use.undoes == nil && action?.undo != nil
        commit(by: nil) { [self] in
            let current = kept?.rows[run.use.row]?.row
            if let current {
                acting.runs.change(current, after: kept?.rows.key(before: run.use.row), by: run.id)
            }
            var state = beginning(run.id, run.use)
            let offer = isUndoable ? Int(RowAction.undoOffer.milliseconds) : nil
            state.phase = .closing(.success, undo: store.shared == nil ? nil : offer)
            acting.update(state)
            oweActionRuns()
            let edits: [Edit] =
                if let former = run.former {
                    action?.effect?.edits(restoring: former.row, current: current, after: former.previous) ?? []
                } else {
                    current.flatMap { action?.effect?.edits(of: $0) } ?? []
                }
            return RowsChange(weight: 0) { [date = now.date] in $0.commit(edits, at: date) }
        } then: { [self] result in
            if let error = result.error {
                return conclude(run.id, run.use, .failure(explain(error)), detail: "\(error)")
            }
            work?.crossed.insert(run.use.row)
            // Where the rows stayed as they were, the outcome was not kept with them.
            keepActionRuns { [self] error in
                if let error { logger.error("Cannot store the outcome of an action: \(error)") }
                acting.runs.succeed(run.id, isUndoable: isUndoable, now: now)
                end(run.id, run.use, .success, detail: nil)
                if action?.refreshes == true { request(.init(requester: .program, cause: .code, isAfter: true)) }
            }
        }
    }

    /// A run is over without success.
    private func conclude(_ id: ActionRuns.ID, _ use: ActionRuns.Use, _ outcome: RefreshOutcome, detail: String?) {
        acting.runs.fail(id, now: now)
        var state = beginning(id, use)
        state.phase = .closing(LastRun.Outcome(rawValue: outcome.name) ?? .failure, error: RunError(outcome))
        acting.update(state)
        keepActionRuns { [self] error in
            if let error { logger.error("Cannot store the outcome of an action: \(error)") }
            end(id, use, outcome, detail: detail)
        }
    }

    private func end(_ id: ActionRuns.ID, _ use: ActionRuns.Use, _ outcome: RefreshOutcome, detail: String?) {
        if let state = acting.state(ofRun: id.description) { tell(state) }
        log(id, use, outcome, detail)
        perform([ActionRuns.Action]())
    }

    private func log(_ id: ActionRuns.ID, _ use: ActionRuns.Use, _ outcome: RefreshOutcome, _ detail: String?) {
        let about: Logger.Metadata = [
            "run": "\(id)", "action": "\(use.action)", "row": "\(use.row)", "outcome": "\(outcome.name)",
            "undoes": "\(use.undoes?.description ?? "")",
        ]
        switch outcome {
        case .failure(let failure): logger.error("An action failed: \(detail ?? failure.message)", metadata: about)
        case .timeout(let deadline):
            logger.warning("An action reported nothing for \(deadline) and was ended.", metadata: about)
        case .success, .cancelled: logger.info("An action ended.", metadata: about)
        }
    }

    // MARK: Time, and the end

    private func wakeForActions() {
        guard let moment = acting.runs.nextMoment(deadline: description.rules.deadline),
            acting.scheduledWake.map({ moment < $0 }) ?? true
        else { return }
        acting.scheduledWake = moment
        executor.schedule(at: moment) { [weak self] in
            self?.assumeIsolated { list in
                if list.acting.scheduledWake == moment { list.acting.scheduledWake = nil }
                list.perform(list.acting.runs.due(deadline: list.description.rules.deadline, now: list.now))
            }
        }
    }

    /// Calls back once no action is under way; at once if none is.
    func whenActionsAreOver(_ body: @escaping () -> Void) {
        guard !acting.runs.isEmpty else { return body() }
        acting.whenIdle = body
    }

    /// The list is served no more: actions under way are asked to stop.
    func endActions() {
        for task in acting.tasks.values { task.cancel() }
        perform(acting.runs.abandon())
    }
}

/// Who is told what becomes of a run.
struct ActionListener: Sendable {
    let socket: UInt64
    let feed: LoopFeed

    func tell(_ message: ServerMessage) { feed.deliver(.replied(socket: socket, message.encoded())) }
}
