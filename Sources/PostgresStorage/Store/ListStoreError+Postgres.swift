import ListStorage
import PostgresConnections

extension ListStoreError {
    /// What an error of a connection means for a store at this address, whose text has no password.
    init(_ error: any Error, at address: PostgresAddress) {
        let path = "\(address)"
        switch error {
        case let error as ListStoreError: self = error
        case let error as PostgresError: self.init(error, path: path)
        case is CancellationError: self = .unavailable(path: path, reason: "it does not answer")
        default: self = .failed(path: path, reason: "\(error)")
        }
    }

    private init(_ error: PostgresError, path: String) {
        switch error {
        case .noAddress(let reason): self = .unsuitable(path: path, reason: "that is no address: \(reason).")
        case .notConnected(let reason, .missing):
            self = .unavailable(path: path, reason: "\(reason); give the password in the URL or by PGPASSFILE")
        case .notConnected(let reason, _) where reason.contains("session is read-only"):
            self = .unavailable(
                path: path,
                reason:
                    "\(reason). A standby takes no commits, nor does a database with default_transaction_read_only. "
                    + "Name the primary too, or promote one")
        // Of a parameter, before anybody is asked. It stays so.
        case .notConnected(let reason, _) where reason.hasPrefix("invalid "):
            self = .unsuitable(path: path, reason: "\(reason). Correct the URL.")
        case .notConnected(let reason, _), .lost(let reason): self = .unavailable(path: path, reason: reason)
        case .refused(let refusal): self.init(refusal, path: path)
        }
    }

    /// A pooler answers there.
    static func pooled(path: String) -> Self {
        .unsuitable(
            path: path,
            reason:
                "a pooler such as PgBouncer answers there, which shares connections between clients. Name the database "
                + "itself: LISTEN and prepared statements take a connection of their own.")
    }

    /// https://www.postgresql.org/docs/current/errcodes-appendix.html
    private init(_ refusal: PostgresError.Refusal, path: String) {
        let text = "\(refusal.message) (SQLSTATE \(refusal.state))"
        switch refusal.state {
        case "53100": self = .diskFull(path: path)
        // What was prepared by this connection is not there, or somebody else's is.
        case "26000", "42P05": self = .pooled(path: path)
        case "42501":
            self = .unsuitable(
                path: path,
                reason: "\(text). Grant the user CREATE in the database, or make it the owner of the schema.")
        case "25006", "57P01", "57P02", "57P03", "57014", "55P03", "40001", "40P01", "53300":
            self = .unavailable(path: path, reason: text)
        case "42P01", "42703", "3F000": self = .corrupt(path: path, reason: text)
        default:
            self =
                refusal.isAboutConnection ? .unavailable(path: path, reason: text) : .failed(path: path, reason: text)
        }
    }
}

extension PostgresAddress {
    /// Where a store is.
    init(ofStore url: String) throws(ListStoreError) {
        do { self = try PostgresAddress(url) } catch .noAddress(let reason) {
            throw .unsuitable(
                path: "the database", reason: "expected a URL such as postgres://user@host:5432/lists: \(reason).")
        } catch {
            throw .unsuitable(path: "the database", reason: "\(error)")
        }
    }
}
