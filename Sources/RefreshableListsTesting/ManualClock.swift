import Locking
import RefreshableLists
import WebSockets

/// A clock that stands still until a test lets time pass: for a tested list and for its handler alike.
///
/// Give it to a handler wherever it waits, as `any Clock<Duration>`, and three seconds take no time:
///
/// ```swift
/// let clock = ManualClock()
/// let list = TestedList(
///     RefreshableList("hours").refreshable { try await clock.sleep(for: .seconds(3)); return hours() },
///     clock: clock)
/// await list.advance(by: .seconds(3))
/// ```
///
/// It belongs to one list, whose `advance(by:)` moves it.
public final class ManualClock: Clock {
    /// A moment of a manual clock, counted from its beginning.
    public struct Instant: InstantProtocol {
        /// How long after the clock's beginning.
        public var offset: Duration

        /// The moment so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How much later the other one is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether one is earlier than the other.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        var number: Int
        var end: Instant
        var rest: Suspension
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Sleeper] = []
        var count = 0
    }

    private let state = Locked(State())

    /// A clock at its beginning.
    public init() {}

    /// The moment that it stands at.
    public var now: Instant { state.withLock(\.now) }

    /// Any: it is as exact as what it is told.
    public var minimumResolution: Duration { .zero }

    /// The date as handlers and lists are told it, in milliseconds since 1970. It begins in September 2026.
    public var date: Int64 { 1_790_000_000_000 + now.offset.milliseconds }

    /// Waits until time has passed to that moment.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until end: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let ending = await withTaskCancellationHandler {
            await withCheckedContinuation { sleep(number, until: end, $0) }
        } onCancel: {
            take { $0.number == number }.first?.rest.end(.cancelled)
        }
        if ending == .cancelled { throw CancellationError() }
    }

    private func sleep(_ number: Int, until end: Instant, _ continuation: CheckedContinuation<Suspension.End, Never>) {
        // Looked at under the lock: a cancellation that comes later finds the sleeper there.
        let ending = state.withLock { state -> Suspension.End? in
            if Task.isCancelled { return .cancelled }
            if state.now >= end { return .letGo }
            state.sleepers.append(Sleeper(number: number, end: end, rest: Suspension(continuation)))
            return nil
        }
        if let ending { continuation.resume(returning: ending) }
    }

    /// The earliest moment that somebody sleeps until.
    var nextEnd: Instant? { state.withLock { $0.sleepers.map(\.end).min() } }

    /// Moves to a moment, and wakes those who slept until then, in the order of their moments.
    package func move(to moment: Instant) {
        state.withLock { $0.now = max($0.now, moment) }
        for sleeper in take({ $0.end <= moment }).sorted(by: { $0.end < $1.end }) { sleeper.rest.end(.letGo) }
    }

    private func take(_ isTaken: (Sleeper) -> Bool) -> [Sleeper] {
        state.withLock { state in
            defer { state.sleepers.removeAll(where: isTaken) }
            return state.sleepers.filter(isTaken)
        }
    }
}

/// The clock as a list reads it.
struct ManualListClock: ListClock {
    let clock: ManualClock
    let runsByItself = false
    var now: Moment { Moment(uptime: clock.now.offset.milliseconds, date: clock.date) }
}
