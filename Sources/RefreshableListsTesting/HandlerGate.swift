import Locking
import WebSockets

/// Where a handler waits until the test lets it go on: so a test finds a list in the midst of a run.
///
/// ```swift
/// let gate = HandlerGate()
/// let list = TestedList(RefreshableList("fruit").refreshable { try await gate.pass(); return [ListRow("apple")] })
/// await list.start()
/// await list.settle()             // the handler is at the gate
/// gate.open()
/// await list.settle()             // and now it has returned
/// ```
///
/// Put it into what stands for your service in the test; the handler itself need not know.
public final class HandlerGate: Sendable {
    private struct State {
        var begun = 0
        var isOpen: Bool
        var rests: [Int: Suspension] = [:]
        var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Locked<State>

    /// A closed gate, or an open one.
    public init(isOpen: Bool = false) { state = Locked(State(isOpen: isOpen)) }

    /// How many have come so far, whether they passed or wait.
    public var begun: Int { state.withLock(\.begun) }

    /// How many wait.
    public var waiting: Int { state.withLock { $0.rests.count } }

    // MARK: What a handler does

    /// Waits until the gate is open, as a request to a service waits for its answer.
    ///
    /// - Throws: `CancellationError` as soon as the run is cancelled.
    public func pass() async throws {
        let number = arrive()
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, $0, heedsCancellation: true) }
        } onCancel: {
            state.withLock { $0.rests.removeValue(forKey: number) }?.end(.cancelled)
        }
        if end == .cancelled { throw CancellationError() }
    }

    /// Waits until the gate is open even if the run is cancelled, as work does that does not look.
    public func passHeedlessly() async {
        let number = arrive()
        _ = await withCheckedContinuation { wait(number, $0, heedsCancellation: false) }
    }

    // MARK: What a test does

    /// Lets go on all who wait, and all who come from now on.
    public func open() {
        let rests = state.withLock { state in
            defer { state.rests = [:] }
            state.isOpen = true
            return state.rests.sorted { $0.key < $1.key }.map(\.value)
        }
        for rest in rests { rest.end(.letGo) }
    }

    /// Holds up all who come from now on.
    public func close() { state.withLock { $0.isOpen = false } }

    /// Waits until so many have come. For a handler of a real server; that of a `TestedList` is at the gate once the list
    /// has settled.
    public func arrival(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.begun < count { state.arrivals.append((count, continuation)) }
                return state.begun >= count
            }
            if isThere { continuation.resume() }
        }
    }

    private func arrive() -> Int {
        let (number, arrived) = state.withLock { state in
            state.begun += 1
            let begun = state.begun
            defer { state.arrivals.removeAll { $0.count <= begun } }
            return (begun, state.arrivals.filter { $0.count <= begun })
        }
        for arrival in arrived { arrival.continuation.resume() }
        return number
    }

    private func wait(
        _ number: Int, _ continuation: CheckedContinuation<Suspension.End, Never>, heedsCancellation: Bool
    ) {
        // Looked at under the lock: a cancellation that comes later finds the rest there.
        let end = state.withLock { state -> Suspension.End? in
            if heedsCancellation, Task.isCancelled { return .cancelled }
            if state.isOpen { return .letGo }
            state.rests[number] = Suspension(continuation)
            return nil
        }
        if let end { continuation.resume(returning: end) }
    }
}
