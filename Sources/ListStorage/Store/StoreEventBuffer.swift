import Locking

/// Buffers events until there is a listener.
package final class StoreEventBuffer: Sendable {
    private struct State {
        var tell: (@Sendable (StoreEvent) -> Void)?
        var waiting: [StoreEvent] = []
    }

    private let state = Locked(State())

    /// Empty, without a listener.
    package init() {}

    package func tell(_ events: StoreEvent) {
        let tell = state.withLock { state in
            if state.tell == nil { state.waiting.append(events) }
            return state.tell
        }
        tell?(events)
    }

    package func open(to tell: @escaping @Sendable (StoreEvent) -> Void) {
        let waiting = state.withLock { state in
            defer { state = State(tell: tell) }
            return state.waiting
        }
        for events in waiting { tell(events) }
    }
}
