package import ListProtocol
import Locking
package import Pulling
import WebSockets

/// A person's session with one list in this process: gestures without a connection.
///
/// They are judged by the same `PullMemory` as those of a browser, and what they ask for goes to the list in the same
/// words. On the list's own thread throughout, so that every gesture and what it causes is one step: when a function
/// returns, the list has answered. `RefreshableListsTesting` gives it a finger.
package final class LocalSession: Sendable {
    private struct State {
        var memory: PullMemory
        var answer: RefreshGate.Answer?
        var run: RunID?
        var progress: ProgressFrame?
    }

    private let token = SessionToken.random().text
    private let state: Locked<State>
    private let feed: LoopFeed

    /// Watches the list, which may start its initial load.
    package init(watching list: isolated LiveList) {
        let state = Locked(State(memory: PullMemory(list.description.pull, list.broadcaster.state)))
        self.state = state
        feed = LoopFeed { feed in Self.take(from: feed, into: state) }
        watch(list)
    }

    // MARK: What the person sees

    /// The gesture as it stands.
    package var pull: Pull { state.withLock { $0.memory.pull } }

    /// The progress of the current run; nil if it reported none.
    package var progress: RunProgress? {
        state.withLock { $0.progress?.run == $0.run ? $0.progress?.progress : nil }
    }

    // MARK: What the person does

    /// Feeds an event of the finger.
    ///
    /// - Returns: what becomes of the gesture, where the event is a release or asks for a run by itself.
    package func feel(_ event: Pull.Event, in list: isolated LiveList) -> RunReference? {
        switch state.withLock({ $0.memory.feel(event).request }) {
        case .ask(let gesture):
            list.refresh(
                .init(requester: .session(token), cause: .pull), key: IdempotencyKey(gesture: gesture, of: token),
                pending: RequestID(socket: 0, gesture: gesture), to: feed)
            return takeAnswer()
        case .recall(let gesture):
            list.recall(
                .init(requester: .session(token), cause: .pull), key: IdempotencyKey(gesture: gesture, of: token),
                pending: RequestID(socket: 0, gesture: gesture), to: feed)
            return takeAnswer()
        case .spent: return .noRun(.spent)
        case .answer(let reference): return reference
        case nil: return nil
        }
    }

    /// Refreshes by a button.
    ///
    /// - Parameter isAfter: whether a run that is under way already is not enough.
    package func refresh(isAfter: Bool, in list: isolated LiveList) -> RunReference {
        list.refresh(
            .init(requester: .session(token), cause: .refresh, isAfter: isAfter), pending: RequestID(socket: 0),
            to: feed)
        return takeAnswer()
    }

    /// Asks for the page that follows the list's last row.
    package func more(in list: isolated LiveList) -> RunReference {
        guard let last = list.kept?.rows.last else { return .noRun(.spent) }
        let (reference, actions) = list.page(after: last.key, by: .session(token))
        list.perform(actions)
        return reference
    }

    /// Asks for the end of the run under way.
    package func stop(in list: isolated LiveList) {
        if let run = list.gate.current?.run { list.stop(run, by: token) }
    }

    /// Comes to watch, again.
    package func watch(_ list: isolated LiveList) {
        list.attach(WatchID(socket: 0, serial: 0), messageID: nil, resume: nil, to: feed)
    }

    /// Watches no longer: its connection is lost.
    package func disconnect(from list: isolated LiveList) { list.detach(from: feed) }

    /// Watches no longer, and waits for nothing: its page was closed.
    package func leave(_ list: isolated LiveList) {
        list.detach(from: feed)
        list.withdraw(token)
    }

    // MARK: What the list tells

    private static func take(from feed: LoopFeed, into state: Locked<State>) {
        let storeEvents = feed.take()
        state.withLock { state in
            for case .answered(let pending, let answer) in storeEvents.deliveries {
                state.answer = answer
                if let gesture = pending.gesture { _ = state.memory.answered(answer, to: gesture) }
            }
            if let frame = storeEvents.states.newest {
                state.run = frame.run
                _ = state.memory.hear(frame)
            }
            if let progress = storeEvents.progress { state.progress = progress }
        }
    }

    /// The list answers at once, on this thread.
    private func takeAnswer() -> RunReference {
        state.withLock { state in
            defer { state.answer = nil }
            return state.answer?.reference ?? .noRun(.spent)
        }
    }
}
