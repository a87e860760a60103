import Synchronization

/// The counts that all loops of one server share.
final class ConnectionCounts: Sendable {
    private let door: Locked<AdmissionControl>
    private let lastID = Atomic<UInt64>(0)
    /// Whether accepting waits for a loop to keep up.
    private let isHeld = Atomic<Bool>(false)
    /// Goes on accepting; on any thread.
    private let onRelease = Locked<@Sendable () -> Void>({})

    init(limits: AdmissionControl.Limits, loops: Int) {
        door = Locked(AdmissionControl(limits: limits, loops: loops))
    }

    /// Connections now.
    var count: Int { door.withLock { $0.count } }

    /// Whether the next connection may be accepted. If not, `body` of `whenReleased` is called once one may.
    func mayAccept() -> Bool {
        door.withLock { door in
            let may = door.mayAccept
            isHeld.store(!may, ordering: .relaxed)
            return may
        }
    }

    /// Decides about a connection that was accepted by the system, and counts it if it stays.
    func verdict(on address: ClientNetwork) -> AdmissionControl.Verdict { door.withLock { $0.verdict(on: address) } }

    /// A loop took up what was handed to it.
    func tookUp(_ slot: AdmissionControl.ConnectionSlot) {
        let isReleased = door.withLock { door in
            door.tookUp(slot)
            return isHeld.exchange(false, ordering: .relaxed)
        }
        if isReleased { onRelease.withLock { $0 }() }
    }

    func left(_ slot: AdmissionControl.ConnectionSlot) { door.withLock { $0.left(slot) } }

    func whenReleased(_ body: @escaping @Sendable () -> Void) { onRelease.withLock { $0 = body } }

    /// A number never given before.
    func nextID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }
}
