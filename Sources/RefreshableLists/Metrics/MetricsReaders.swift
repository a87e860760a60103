/// Who may read `/metrics`, where the names of lists stand and how much is going on.
public enum MetricsReaders: String, CaseIterable, Hashable, Sendable {
    /// Nobody: there is nothing at `/metrics`.
    case off
    /// Programs on this machine, unless a proxy passes them on for somebody else.
    case local
    /// Whoever can reach the server.
    case all
}
