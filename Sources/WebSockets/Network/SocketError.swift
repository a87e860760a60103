/// Errors that happen before there is a connection.
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
        case .connectionFailed(let url, let reason):
            "Cannot connect to \(url): \(reason)."
        }
    }
}
