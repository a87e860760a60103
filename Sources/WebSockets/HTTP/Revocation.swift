/// Says whether bytes that many share may still be sent. Whoever is sent them keeps them in memory, so they can be taken back
/// from those who read too slowly. From any thread.
public final class Revocation: Sendable {
    private struct State {
        var isRevoked = false
        var listeners: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// Nothing is taken back yet.
    public init() {}

    /// Whether what is not sent yet is not to be sent any more.
    public var isRevoked: Bool { state.withLock { $0.isRevoked } }

    /// Takes the bytes back, and tells those who keep them.
    public func revoke() {
        let listeners = state.withLock { state in
            defer { state = State(isRevoked: true) }
            return state.listeners
        }
        for tell in listeners { tell() }
    }

    /// Calls `body` once when the bytes are taken back; at once if they are already.
    func whenRevoked(_ body: @escaping @Sendable () -> Void) {
        let isRevoked = state.withLock { state in
            if !state.isRevoked { state.listeners.append(body) }
            return state.isRevoked
        }
        if isRevoked { body() }
    }
}

extension Revocation: Hashable {
    /// One equals itself alone.
    public static func == (one: Revocation, other: Revocation) -> Bool { one === other }

    /// By what it is, not by what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
