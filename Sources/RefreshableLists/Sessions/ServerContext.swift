import ListProtocol
import Logging

/// What all loops of a server share: its lists by name, its limits, and the sessions that can be resumed.
struct ServerContext: Sendable {
    let lists: ListDirectory
    let limits: Limits
    /// Between two signs of life from the server.
    let heartbeat: Duration
    let clock: any ListClock
    let sessions: SessionRegistry
    let authenticator: Authenticator
    /// Other sites whose pages may show the lists; `*` is all.
    let allowedOrigins: [String]
    let routes: Routes
    let logger: Logger
}
