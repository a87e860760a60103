import ListProtocol
import Logging

/// A list before its server stops.
extension LiveList {
    /// No run begins any more. The one under way has so long; then it ends as cancelled, is told so, and kept so.
    ///
    /// - Parameter whenDone: called once no run is under way, on the list's thread.
    func drain(within limit: Duration, whenDone: @escaping @Sendable () -> Void) {
        isDraining = true
        gate.drain()
        guard !hasEnded, let run = gate.current?.run else { return whenDone() }
        // Once those who watch were told: what is posted to a loop from then on comes after that.
        waiters[run, default: []].append(RunWaiter(by: .program) { [executor] _ in executor.post(whenDone) })
        executor.schedule(at: now.uptime + limit.milliseconds) { [weak self] in
            self?.assumeIsolated { list in
                guard list.gate.current?.run == run else { return }
                list.logger.warning("The server stops before this refresh has ended.", metadata: ["run": "\(run)"])
                list.perform(list.gate.abandon(now: list.now))
            }
        }
    }

    /// Returns when no run is under way any more, `limit` from now at the latest.
    nonisolated func drain(within limit: Duration) async {
        await withCheckedContinuation { continuation in
            post { list in list.drain(within: limit) { continuation.resume() } }
        }
    }
}
