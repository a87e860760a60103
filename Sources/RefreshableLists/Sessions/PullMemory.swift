import ListProtocol
import Pulling

/// A session's gestures on one list.
struct PullMemory: Sendable {
    var pull: Pull
    private var known = KnownRun()
    /// What the last gestures were answered. The list remembers that too, under their keys, but for ten minutes only: who
    /// comes back and back again may say a release again after hours.
    private var answers: [(gesture: Int, answer: RunReference)] = []
    /// The last gesture of which nobody could say what became of it: it is asked for again where it is sent again.
    private var unanswered: Int?

    /// Gestures so far back are not sent again.
    private static let mostAnswers = 8

    /// - Parameter state: what the list is doing, where that is known.
    init(_ configuration: PullConfiguration, _ state: ListStateFrame?) {
        pull = Pull(configuration, isLoading: state?.told.phase == .loading)
        if let state { _ = known.hear(state.told.phase, run: state.told.run) }
    }

    /// The list may want to be pulled in another way than when the gesture began.
    mutating func configure(_ configuration: PullConfiguration) {
        if pull.configuration != configuration { pull.configure(configuration) }
    }

    /// The finger moved, was lifted or gave up: what its session is to do about it.
    mutating func feel(_ event: Pull.Event) -> GestureStep {
        let actions = pull.handle(event)
        return GestureStep(request: request(event, actions), state: actions.state)
    }

    /// The list answered a gesture; nil: it no longer knows it. Returns what to send to the puller.
    mutating func answered(_ answer: RefreshGate.Answer?, to gesture: Int) -> Pull.PrivateState? {
        if answer == .unavailable {
            unanswered = gesture
        } else if let answer {
            remember(answer.reference, of: gesture)
        }
        guard answer?.isRefusal ?? true else { return nil }
        return pull.handle(.refuse).state
    }

    /// Handles a state of the list; returns what to send to the puller.
    mutating func hear(_ state: ListStateFrame) -> [Pull.PrivateState] {
        known.hear(state.told.phase, run: state.told.run).compactMap { pull.handle($0).state }
    }

    private mutating func request(_ event: Pull.Event, _ actions: Pull.Actions) -> GestureStep.Request? {
        guard case .release(let gesture, _, _) = event else {
            return actions.refresh.map { .ask(gesture: $0) }
        }
        switch actions.answer {
        case .run, .joins: return .ask(gesture: gesture)
        case .own, .repeated:
            guard unanswered != gesture else { return .ask(gesture: gesture) }
            return answer(of: gesture).map { .answer($0) } ?? .recall(gesture: gesture)
        case .belowThreshold: return .answer(remember(.noRun(.belowThreshold), of: gesture))
        case .spent, nil:
            remember(.noRun(.spent), of: gesture)
            return .spent(gesture: gesture)
        }
    }

    private func answer(of gesture: Int) -> RunReference? { answers.last { $0.gesture == gesture }?.answer }

    @discardableResult
    private mutating func remember(_ answer: RunReference, of gesture: Int) -> RunReference {
        if unanswered == gesture { unanswered = nil }
        answers.removeAll { $0.gesture == gesture }
        answers.append((gesture, answer))
        if answers.count > Self.mostAnswers { answers.removeFirst() }
        return answer
    }
}

/// The result of applying one touch event to a session's `Pull`.
struct GestureStep: Sendable {
    /// The result of the gesture's request for a run.
    enum Request: Hashable, Sendable {
        /// The list is asked for a run, under the gesture's own key: however often that is sent, one run comes of it.
        case ask(gesture: Int)
        /// The list is asked what it answered this gesture before.
        case recall(gesture: Int)
        /// No run comes of it, as it is spent: where servers share the list, all of them are to say so if it is sent again.
        case spent(gesture: Int)
        /// This is its answer: there is no run, or it was given before.
        case answer(RunReference)
    }

    /// Nil where the event neither asks nor has to be answered.
    var request: Request?
    /// What only the puller is sent; nil if it is unchanged.
    var state: Pull.PrivateState?
}
