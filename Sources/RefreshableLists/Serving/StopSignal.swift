import ListProtocol
import Locking
import Synchronization
import WebSockets

/// Waits until the task is cancelled.
final class StopSignal: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, Never>)
        case stopped
    }

    private let state = Locked(State.idle)

    /// Returns when the calling task is cancelled, or was.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStopped = state.withLock { state in
                    if case .stopped = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isStopped { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                defer { state = .stopped }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            continuation?.resume()
        }
    }
}

/// Whether the server is about to stop. Turned on once, by its end; looked at by every loop.
final class DrainFlag: Sendable {
    private let isTurnedOn = Atomic(false)

    /// From now on no new connections are accepted.
    func turnOn() { isTurnedOn.store(true, ordering: .releasing) }

    /// Whether it is turned on.
    var isOn: Bool { isTurnedOn.load(ordering: .acquiring) }
}

/// What clients are told when the server stops: when to come back, spread evenly over some seconds, so that they come as
/// a stream and not as a herd.
enum ShutdownNotice {
    /// Milliseconds over which all come back.
    private static let spread = 8000

    /// The frame for one of several batches, each of which comes back in its own part of the time.
    static func frame(batch: Int, of count: Int) -> SharedFrame {
        let message = ServerMessage.goodbye(
            code: .draining, message: "The server is about to stop.", reconnect: true,
            after: spread * batch / count...spread * (batch + 1) / count)
        return SharedFrame(text: message.encoded())
    }
}
