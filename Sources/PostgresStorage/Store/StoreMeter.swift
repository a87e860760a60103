import ListStorage
import Locking

/// Counts what a store does, and tells how long it takes. From any thread.
final class StoreMeter: Sendable {
    private struct State {
        var statistics = StoreStatistics()
        var tell: (@Sendable (StoreOperation, Duration) -> Void)?
    }

    private let state = Locked(State())

    /// What was counted; connections are the pool's.
    var statistics: StoreStatistics { state.withLock(\.statistics) }

    /// Has durations told from now on.
    func hear(_ tell: @escaping @Sendable (StoreOperation, Duration) -> Void) { state.withLock { $0.tell = tell } }

    /// An operation has ended.
    func ended(_ operation: StoreOperation, since begun: ContinuousClock.Instant, isError: Bool) {
        let tell = state.withLock { state in
            if isError { state.statistics.errors[operation, default: 0] += 1 }
            return state.tell
        }
        tell?(operation, begun.duration(to: .now))
    }

    /// A change was not kept, as another server was sooner.
    func noteConflict() { state.withLock { $0.statistics.conflicts += 1 } }

    /// A list was given a new epoch.
    func noteRenewedEpoch() { state.withLock { $0.statistics.renewedEpochs += 1 } }
}
