import KeyedLists
import WebSockets

/// Carries what one list has for one loop: registers and a ring, not a queue.
///
/// The list's thread writes, the loop reads, and one wake-up is under way at most. However fast a list commits, the
/// loop finds the newest revision, the newest state, and a few recent patches (``FrameRing``); watchers who are behind
/// those ask for a fold. Deliveries answer single messages and are bounded by what clients may ask.
final class LoopFeed: Sendable {
    /// What the loop takes in one look.
    struct Contents: Sendable {
        /// Answers and attachments, in the order in which the list gave them. To be performed before the rest.
        var deliveries: [Delivery] = []
        var ring = FrameRing()
        var states = ListStates()
        var progress: ProgressFrame?

        /// Whether there is something for all who watch.
        var isNews: Bool { !ring.isEmpty || states.newest != nil || progress != nil }
    }

    private let wake: @Sendable (LoopFeed) -> Void
    private let state = Locked((contents: Contents(), isAwake: false))

    /// - Parameter wake: asks the loop to `take`. Called once until it does.
    init(wake: @escaping @Sendable (LoopFeed) -> Void) {
        self.wake = wake
    }

    /// Says where the list is, before the first commit goes this way.
    func seed(revision: Revision) { change { $0.ring.seed(revision) } }
    func deliver(_ delivery: Delivery) { change { $0.deliveries.append(delivery) } }
    func publish(_ batch: FrameBatch) { change { $0.ring.append(batch) } }
    func publish(_ state: ListStateFrame) { change { $0.states.append(state) } }
    func publish(_ progress: ProgressFrame) { change { $0.progress = progress } }

    /// Empties the registers.
    func take() -> Contents {
        state.withLock { state in
            defer { state = (Contents(), false) }
            return state.contents
        }
    }

    private func change(_ body: (inout Contents) -> Void) {
        let wasAwake = state.withLock { state in
            body(&state.contents)
            defer { state.isAwake = true }
            return state.isAwake
        }
        if !wasAwake { wake(self) }
    }
}
