/// What a server or a client of this library could not do.
public enum SocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The port is taken by another program.
    case portInUse(host: String, port: Int, hint: String)
    /// The port may not be used by this user (below 1024, most often).
    case portNotPermitted(host: String, port: Int, hint: String)
    /// The host is not an address of this machine, or not a name that can be resolved.
    case hostUnusable(host: String, reason: String)
    /// Anything else the system refused.
    case cannotListen(host: String, port: Int, reason: String)
    /// libuv or libwebsockets could not be set up.
    case cannotStartLoop(reason: String)
    /// The folder of static files can't be read.
    case cannotReadFiles(folder: String, reason: String)
    /// A file of certificates or keys can't be used for TLS.
    case cannotSecure(file: String, reason: String)
    /// Not an address this client can connect to.
    case badURL(String, reason: String)
    /// The WebSocket is closed, or closing; `WebSocket.closeStatus` says how.
    case closed
    /// A code or a reason that can't stand in a Close frame.
    case badClose(reason: String)
    /// Settings that are out of their range, or contradict each other.
    case badConfiguration(reason: String)
    /// A server was started a second time, or its port was asked for after its end.
    case notRunning(reason: String)
    /// A connection or a request of ours failed.
    case connectionFailed(url: String, reason: String)

    /// What was tried, what happened, what to do.
    public var description: String {
        switch self {
        case .portInUse(_, let port, let hint):
            "Cannot listen on port \(port): address in use. \(hint)"
        case .portNotPermitted(_, let port, let hint):
            "Cannot listen on port \(port): permission denied. \(hint)"
        case .hostUnusable(let host, let reason):
            "Cannot listen on \(host): \(reason). Use an address of this machine, such as 127.0.0.1 or 0.0.0.0."
        case .cannotListen(let host, let port, let reason):
            "Cannot listen on \(host), port \(port): \(reason)."
        case .cannotStartLoop(let reason):
            "Cannot start an event loop: \(reason). "
                + "On Debian and Ubuntu, check that libwebsockets-evlib-uv is installed."
        case .cannotReadFiles(let folder, let reason):
            "Cannot read the files in \(folder): \(reason)."
        case .cannotSecure(let file, let reason):
            "Cannot use \(file) for TLS: \(reason)"
        case .badURL(let url, let reason):
            "Cannot connect to \(url): \(reason). Use an address like ws://localhost:8080/ws."
        case .closed:
            "The WebSocket is closed. Stop sending; its closeStatus says how it ended."
        case .badClose(let reason):
            "Cannot close the WebSocket so: \(reason)"
        case .badConfiguration(let reason):
            "Cannot make a server so: \(reason). Change its configuration."
        case .notRunning(let reason):
            "The server does not run: \(reason)"
        case .connectionFailed(let url, let reason):
            "Cannot connect to \(url): \(reason)."
        }
    }
}
