/// The code of a WebSocket Close frame, from which the client knows whether to reconnect.
///
///     4000 … 4099   do not come back unchanged
///     4100 … 4199   back off, with jitter
///     4200 … 4299   come back within the `after` of the goodbye
public struct CloseCode: RawRepresentable, Hashable, Sendable {
    /// What a client does after a close.
    public enum Family: Hashable, Sendable {
        /// It does not reconnect until a person or a program has changed something.
        case stayAway
        /// It comes back after a pause that grows, with jitter.
        case backOff
        /// It comes back at a random moment within the goodbye's `after`.
        case comeBack
    }

    /// The client abuses the protocol.
    public static let abuse = CloseCode(rawValue: 4000)
    /// A valid token is needed to be connected at all.
    public static let unauthorised = CloseCode(rawValue: 4001)
    /// The token is valid but does not allow a connection.
    public static let forbidden = CloseCode(rawValue: 4003)
    /// The client speaks another version of the protocol.
    public static let protocolVersion = CloseCode(rawValue: 4004)
    /// The server has too much to do.
    public static let overload = CloseCode(rawValue: 4100)
    /// The client took no byte for too long, or reads an old snapshot too slowly.
    public static let tooSlow = CloseCode(rawValue: 4101)
    /// No pong came.
    public static let noPong = CloseCode(rawValue: 4102)
    /// Messages came above the rate for too long.
    public static let rate = CloseCode(rawValue: 4103)
    /// There are too many connections.
    public static let connections = CloseCode(rawValue: 4104)
    /// The server is about to stop.
    public static let draining = CloseCode(rawValue: 4200)
    /// The token is no longer valid; come back with a new one.
    public static let tokenExpired = CloseCode(rawValue: 4201)
    /// The server's state was reset; reconnect and watch again.
    public static let stateReset = CloseCode(rawValue: 4202)

    /// The number in the Close frame.
    public let rawValue: UInt16

    /// Makes a code of a number from a Close frame, known or not.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// What the client does after it; nil for a code that is not of this protocol, as 1006.
    public var family: Family? {
        switch rawValue {
        case 4000...4099: .stayAway
        case 4100...4199: .backOff
        case 4200...4299: .comeBack
        default: nil
        }
    }
}
