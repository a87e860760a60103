import Synchronization

/// Whether the server is about to stop. Turned on once, by its end; looked at by every loop.
final class DrainFlag: Sendable {
    private let isTurnedOn = Atomic(false)

    /// From now on nobody new is let in.
    func turnOn() { isTurnedOn.store(true, ordering: .releasing) }

    /// Whether it is turned on.
    var isOn: Bool { isTurnedOn.load(ordering: .acquiring) }
}
