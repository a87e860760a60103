import ListProtocol
import Pulling

/// The gesture on one list, predicted: what a finger's pull will come to, until the server has answered for it. Pure.
///
/// The client owns the finger, the server owns the facts: what it says of all samples that were sent is shown instead.
struct PullPrediction {
    private struct Finger {
        var gesture: Int
        var offset: Double
        /// What the server was last told.
        var sent: (phase: Pull.Phase, at: Duration)?
        /// Samples that the server has yet to answer.
        var unanswered = 0
        /// Whether the newest offset is yet to be sent.
        var isUnsent = false
    }

    /// Between two samples, as a server takes 60 a second.
    private static let pace = Duration.milliseconds(17)

    private var pull = Pull(.standard)
    private var known = KnownRun()
    private var finger: Finger?
    private var own: ListProtocol.PrivateState?
    private var list: ListState?
    /// The newest run that was a refresh.
    private var refreshed: String?

    /// What to show: the list's state while it loads, else the gesture's, else the list's.
    var shown: (phase: Phase, progress: Double) {
        if list?.phase == .loading, list?.cause != .more { return (.loading, 1) }
        if let finger {
            if finger.unanswered == 0, let own, own.gesture == finger.gesture { return (own.phase, own.progress) }
            if pull.phase == .primed || pull.phase == .waiting { return (Phase(pull.phase), pull.progress) }
        }
        // Asked for, and not begun yet.
        if pull.phase == .loading { return (.primed, 1) }
        return list?.phase == .closing && list?.last?.cause != .more ? (.closing, 1) : (.waiting, 0)
    }

    /// The finger that is down; nil: none is.
    var gesture: Int? { finger?.gesture }

    /// When a sample that was held back is due.
    var deadline: Duration? {
        guard let finger, finger.isUnsent, let sent = finger.sent else { return nil }
        return sent.at + Self.pace
    }

    mutating func configure(_ description: PullDescription) {
        guard let trigger = PullConfiguration.Trigger(rawValue: description.trigger) else { return }
        do throws(PullConfigurationError) {
            pull.configure(
                try PullConfiguration(
                    trigger: trigger, threshold: description.threshold, minimum: description.minimum,
                    hold: description.hold, hysteresis: description.hysteresis))
        } catch {
            // A later version measures pulls in another way; the server's word still counts.
        }
    }

    /// The content is pulled to an offset.
    ///
    /// - Parameter next: The number of a finger that comes down.
    mutating func move(to offset: Double, next: () -> Int, now: Duration) {
        var finger = self.finger ?? Finger(gesture: next(), offset: offset)
        finger.offset = offset
        finger.isUnsent = true
        self.finger = finger
        _ = pull.handle(.sample(gesture: finger.gesture, offset: offset))
    }

    /// The sample to send now; nil: none, or not yet. A change of phase is sent at once.
    mutating func takeSample(now: Duration) -> (gesture: Int, offset: Double)? {
        guard var finger, finger.isUnsent else { return nil }
        if let sent = finger.sent, sent.phase == pull.phase, now < sent.at + Self.pace { return nil }
        finger.sent = (pull.phase, now)
        finger.isUnsent = false
        finger.unanswered += 1
        self.finger = finger
        return (finger.gesture, finger.offset)
    }

    /// The finger is lifted. Nil: none was down.
    mutating func release() -> (gesture: Int, offset: Double, peak: Double)? {
        guard let finger else { return nil }
        self.finger = nil
        let peak = max(pull.peak ?? finger.offset, finger.offset)
        _ = pull.handle(.release(gesture: finger.gesture, offset: finger.offset, peak: peak))
        return (finger.gesture, finger.offset, peak)
    }

    /// The gesture is abandoned; gives its number.
    mutating func cancel() -> Int? {
        guard let finger else { return nil }
        self.finger = nil
        _ = pull.handle(.cancel(gesture: finger.gesture))
        return finger.gesture
    }

    /// A release was answered without a run.
    mutating func refuse() { _ = pull.handle(.refuse) }

    mutating func hear(_ state: ListProtocol.PrivateState) {
        own = state
        guard var finger, finger.gesture == state.gesture else { return }
        finger.unanswered = max(0, finger.unanswered - 1)
        self.finger = finger
    }

    mutating func hear(_ state: ListState) {
        list = state
        // A page that loads at the end of the list is nothing to gestures.
        let isPage = (state.phase == .loading ? state.cause : state.last?.cause) == .more
        if !isPage { refreshed = state.run ?? state.last?.run }
        let phase = isPage ? .waiting : Pull.Phase(rawValue: state.phase.rawValue) ?? .waiting
        for event in known.hear(phase, run: refreshed) { _ = pull.handle(event) }
    }

    /// The connection was lost: what the server said of the gesture counts no more.
    mutating func lost() {
        own = nil
        finger?.unanswered = 0
        finger?.sent = nil
    }
}

extension Phase {
    fileprivate init(_ phase: Pull.Phase) {
        self =
            switch phase {
            case .waiting: .waiting
            case .primed: .primed
            case .loading: .loading
            case .closing: .closing
            }
    }
}
