import Locking

/// Says whether bytes that many share may still be sent. Whoever is sent them keeps them in memory, so they can be taken back
/// from those who read too slowly. From any thread.
package final class Revocation: Sendable {
    private struct State {
        var isRevoked = false
        /// By who listens.
        var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())
    private let whenReturned: @Sendable () -> Void

    /// Nothing is taken back yet.
    ///
    /// - Parameter whenReturned: called once nobody holds this, and with it the bytes, any more; on any thread.
    package init(whenReturned: @escaping @Sendable () -> Void = {}) { self.whenReturned = whenReturned }

    deinit { whenReturned() }

    /// Whether what is not sent yet is not to be sent any more.
    package var isRevoked: Bool { state.withLock { $0.isRevoked } }

    /// Revokes the bytes, and notifies their holders.
    package func revoke() {
        let listeners = state.withLock { state in
            defer { state = State(isRevoked: true) }
            return state.listeners.values
        }
        for tell in listeners { tell() }
    }

    /// Calls `body` once when the bytes are taken back; at once if they are already.
    ///
    /// - Parameter listener: who is to `forget` this when it needs the bytes no more.
    func whenRevoked(for listener: AnyObject, _ body: @escaping @Sendable () -> Void) {
        let isRevoked = state.withLock { state in
            if !state.isRevoked { state.listeners[ObjectIdentifier(listener)] = body }
            return state.isRevoked
        }
        if isRevoked { body() }
    }

    /// Nobody is to be told any more: many take the same bytes one after another.
    func forget(_ listener: AnyObject) {
        state.withLock { $0.listeners[ObjectIdentifier(listener)] = nil }
    }
}

extension Revocation: Hashable {
    /// One equals itself alone.
    package static func == (one: Revocation, other: Revocation) -> Bool { one === other }

    /// Compared by identity, not by content.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
