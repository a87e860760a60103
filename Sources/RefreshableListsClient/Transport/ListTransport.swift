/// Opens WebSockets for a `ListClient`: over the network, or within a process.
public protocol ListTransport: Sendable {
    /// Opens a socket, and carries it until it has ended. Cancelling the task ends it as a lost connection does, unless it
    /// was closed before.
    ///
    /// - Parameters:
    ///   - address: Where, and with which token.
    ///   - opened: To be called once, when messages can be sent.
    ///   - received: To be called with each text message, in order, after `opened` and before this returns.
    /// - Returns: How it ended, or why it could not be opened.
    /// - Throws: An error that another try would meet, too, such as a bad address. The client's `run()` throws it.
    func carry(
        _ address: ServerAddress, opened: @Sendable (any ListSocket) -> Void, received: @Sendable (String) -> Void
    ) async throws -> SocketEnd
}

/// A WebSocket that is open.
public protocol ListSocket: Sendable {
    /// Sends a text message after those sent before, and does not wait. After the socket's end it does nothing.
    func send(_ text: String)
    /// Ends it by a Close frame with code 1000, which withdraws the client from what it asked for.
    func close()
}

/// Where a socket leads, and what is shown at its door.
public struct ServerAddress: Hashable, Sendable {
    /// Such as `ws://localhost:8080/ws`.
    public var url: String
    /// The subprotocol to offer.
    public var subprotocol = "refreshable.v1"
    /// For `Authorization: Bearer TOKEN`; nil: none is shown.
    public var token: String?

    /// The address of a server's socket.
    ///
    /// - Parameters:
    ///   - server: The server's URL, as people type it: `http`, `https`, `ws` or `wss`, with or without `/ws`.
    ///   - token: An access token.
    public init(server: String, token: String? = nil) {
        let isSecure = server.hasPrefix("https://") || server.hasPrefix("wss://")
        let scheme = ["http://", "https://", "ws://", "wss://"].first(where: server.hasPrefix) ?? ""
        var rest = server.dropFirst(scheme.count)
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        url = (isSecure ? "wss://" : "ws://") + rest + (rest.hasSuffix("/ws") ? "" : "/ws")
        self.token = token
    }
}

/// How a socket ended.
public struct SocketEnd: Hashable, Sendable {
    /// The code of its Close frame; 1006: it was lost, or never opened.
    public var code: UInt16
    /// Why, as a text for people; empty where that is not known.
    public var reason: String

    /// The code of a lost connection.
    static let lost: UInt16 = 1006

    /// An end with a close code, or with the one of a lost connection.
    public init(code: UInt16 = 1006, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}
