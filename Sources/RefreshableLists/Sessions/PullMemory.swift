import ListProtocol
import Pulling

/// A session's gestures on one list.
struct PullMemory: Sendable {
    var pull: Pull
    private var known = KnownRun()
    /// Why the last gestures that came to nothing did so. What the list answered is remembered by the list.
    private var reasons: [(gesture: Int, reason: RunReference.Reason)] = []

    /// Gestures so far back are not sent again.
    private static let mostReasons = 8

    /// - Parameter state: what the list is doing, where that is known.
    init(_ configuration: PullConfiguration, _ state: ListStateFrame?) {
        pull = Pull(configuration, isLoading: state?.isLoading ?? false)
        if let state { _ = known.hear(state.phase, run: state.heardRun) }
    }

    /// Why this gesture came to nothing.
    subscript(gesture: Int) -> RunReference.Reason? { reasons.last { $0.gesture == gesture }?.reason }

    mutating func remember(_ reason: RunReference.Reason, of gesture: Int) {
        reasons.append((gesture, reason))
        if reasons.count > Self.mostReasons { reasons.removeFirst() }
    }

    /// Hears a state of the list; returns what the puller is to be told.
    mutating func hear(_ state: ListStateFrame) -> [Pull.PrivateState] {
        known.hear(state.phase, run: state.heardRun).compactMap { pull.handle($0).state }
    }
}
