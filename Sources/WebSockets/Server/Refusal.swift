/// Why a connection, a handshake or a request was turned away by its address and headers alone.
public enum Refusal: String, CaseIterable, Hashable, Sendable {
    /// There are as many connections as there may be.
    case connections
    /// There are as many of its address as there may be.
    case crowded
    /// It held most of what connections have under way, and that was too much together.
    case memory
    /// A header could not be read, or the body's length, or one is too long.
    case malformed
    /// The server is not known by that name.
    case host
    /// The page that asks is of another site.
    case origin
    /// It is no handshake that this server takes.
    case handshake
    /// The owner did not want the handshake.
    case owner
}
