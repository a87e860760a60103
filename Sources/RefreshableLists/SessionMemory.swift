import ListProtocol
import Pulling
import WebSockets

/// What is remembered of a session while its connection is lost, and found again by `hello`: its gestures and what they
/// were answered, so that a message sent again has no second effect.
final class SessionMemory: Sendable {
    struct Contents: Sendable {
        /// By the name of the list.
        var pulls: [String: PullMemory] = [:]
        /// Lists that the session may be waiting for a run of.
        var requested: Set<String> = []
    }

    let token: String
    private let contents = Locked(Contents())

    init(token: String) { self.token = token }

    func withContents<Result>(_ body: (inout Contents) throws -> Result) rethrows -> Result {
        try contents.withLock(body)
    }
}

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
