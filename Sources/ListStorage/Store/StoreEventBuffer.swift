import Locking

/// Buffers events until there is a listener.
package final class StoreEventBuffer: Sendable {
    private let state = Locked<(tell: (@Sendable (StoreEvent) -> Void)?, waiting: [StoreEvent])>((nil, []))

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
            defer { state = (tell, []) }
            return state.waiting
        }
        for events in waiting { tell(events) }
    }
}
