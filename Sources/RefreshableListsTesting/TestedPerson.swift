import ListProtocol
import Locking
public import Pulling
public import RefreshableLists
import WebSockets

/// Somebody with a finger, who watches a tested list: their gesture goes through the same rules as that of a browser.
///
/// Offsets are the displayed px by which the content is pulled down, as in `PullConfiguration`. Each function returns
/// when the list has answered; handlers go on when the test waits for them.
public final class TestedPerson: Sendable {
    private struct Finger {
        var gesture = 0
        var isDown = false
        var offset = 0.0
    }

    private let session: LocalSession
    private let list: LiveList
    private let finger = Locked(Finger())

    init(_ session: LocalSession, of list: LiveList) {
        self.session = session
        self.list = list
    }

    // MARK: What they see

    /// Their own gesture's phase, or the list's while that is loading or closing.
    public var phase: Pull.Phase { session.pull.phase }

    /// How far they have pulled, 0…1; frozen while the list is loading and closing.
    public var pullProgress: Double { session.pull.progress }

    /// The progress of the current run, as its handler reported it; nil if it reported none.
    public var runProgress: RunProgress? { session.progress }

    // MARK: What their finger does

    /// Pulls the content to an offset; the first time after a release or a cancel, with a new finger.
    ///
    /// - Returns: what came of it, where the pull asks for a run before the release (the triggers `return` and `crossing`).
    @discardableResult
    public func pull(to offset: Double) async -> PullAnswer? {
        let gesture = finger.withLock { finger in
            if !finger.isDown { finger.gesture += 1 }
            finger.isDown = true
            finger.offset = offset
            return finger.gesture
        }
        return await feel(.sample(gesture: gesture, offset: offset))
    }

    /// Lets go where the content is. Done again, it is the same message sent twice, and answered alike.
    ///
    /// - Parameter peak: The highest offset on the way, where that was not told by `pull(to:)`: a slow connection loses
    ///   samples.
    @discardableResult
    public func release(peak: Double? = nil) async -> PullAnswer {
        let finger = finger.withLock { finger in
            finger.gesture = max(finger.gesture, 1)
            defer { finger.isDown = false }
            return finger
        }
        return await feel(.release(gesture: finger.gesture, offset: finger.offset, peak: peak)) ?? .spent
    }

    /// Abandons the gesture: a second finger, or the page was left.
    public func cancel() async {
        let gesture = finger.withLock { finger in
            defer { finger.isDown = false }
            return finger.gesture
        }
        _ = await feel(.cancel(gesture: gesture))
    }

    /// Pulls just far enough, and lets go.
    @discardableResult
    public func pullAndRelease() async -> PullAnswer {
        await pull(to: session.pull.configuration.threshold)
        return await release()
    }

    // MARK: What else they do

    /// Presses the button, or the key, that refreshes.
    @discardableResult
    public func pressRefresh() async -> PullAnswer {
        guard list.refresh != nil else { return .notRefreshable }
        return PullAnswer(await session.refresh(isAfter: false, in: list))
    }

    /// Asks for the page that follows the list's last row, as who scrolls to the end does.
    @discardableResult
    public func askForMore() async -> PullAnswer { PullAnswer(await session.more(in: list)) }

    /// Requests the end of the current run. It ends when nobody else wants it.
    public func stop() async { await session.stop(in: list) }

    /// Closes the page. What only they waited for is cancelled.
    public func leave() async { await session.leave(list) }

    /// Loses the connection. Its requests continue.
    public func disconnect() async { await session.disconnect(from: list) }

    /// Is back after ``disconnect()`` or ``leave()``.
    public func comeBack() async { await session.watch(list) }

    private func feel(_ event: Pull.Event) async -> PullAnswer? {
        guard list.refresh != nil else { return .notRefreshable }
        return await session.feel(event, in: list).map { PullAnswer($0) }
    }
}

/// What a person's gesture came to, their press of the button, or their wish for more rows.
public enum PullAnswer: Hashable, Sendable {
    /// This run began for it.
    case begins(RunID)
    /// This run was under way, or was begun by the same gesture before.
    case joins(RunID)
    /// It was not pulled far enough, or was dragged back.
    case belowThreshold
    /// The finger was down while the list was loading: pull again.
    case spent
    /// The list's `minimumInterval` is not over: what is there is the answer.
    case tooSoon
    /// The list's `shouldRefresh` refused it, for this reason.
    case refused(String)
    /// There are no more rows: the last page has come.
    case exhausted
    /// The list has no refresh action, so there is nothing to pull.
    case notRefreshable

    /// The run that came of it; nil where none did.
    public var run: RunID? {
        switch self {
        case .begins(let run), .joins(let run): run
        case .belowThreshold, .spent, .tooSoon, .refused, .exhausted, .notRefreshable: nil
        }
    }
}

extension PullAnswer {
    /// - Parameter reference: nil if the list has nothing to report.
    init(_ reference: RunReference?) {
        switch reference {
        case .run(let name, let joined):
            guard let run = RunID(name) else { preconditionFailure("A list named a run \"\(name)\".") }
            self = joined ? .joins(run) : .begins(run)
        case .noRun(.belowThreshold, _): self = .belowThreshold
        case .noRun(.tooSoon, _): self = .tooSoon
        case .noRun(.spent, _): self = .spent
        case .noRun(.exhausted, _): self = .exhausted
        case nil: self = .refused("The list cannot be read.")
        case .noRun(_, let reason): self = .refused(reason ?? "")
        }
    }
}
