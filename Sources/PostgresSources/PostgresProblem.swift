import ListSources
import PostgresConnections

/// Why a PostgreSQL server can't be read, as a message without its address.
struct PostgresProblem {
    private let error: PostgresError
    private let address: PostgresAddress?
    private let query: String

    init(_ error: PostgresError, at address: PostgresAddress? = nil, query: String) {
        self.error = error
        self.address = address
        self.query = query
    }

    var explanation: SourceError {
        switch error {
        case .noAddress(let reason):
            SourceError(
                message: "The address of the database can't be read.",
                detail: "Expected a URL such as postgres://user@host:5432/database: \(reason).")
        case .notConnected(let reason, .missing):
            SourceError(
                message: "The database wants a password, and has been given none.",
                detail: "\(cannot(reason)) Give it in the URL, or in the file that PGPASSFILE names.")
        case .notConnected(let reason, .given):
            SourceError(message: "The database does not let the server in.", detail: cannot(reason))
        case .notConnected(let reason, .notWanted):
            SourceError(message: "The database can't be reached.", detail: cannot(reason))
        case .lost(let reason): SourceError(message: "The database ended the connection.", detail: cannot(reason))
        case .refused(let refusal): explain(refusal)
        }
    }

    private func cannot(_ reason: String) -> String {
        "Cannot read \(address.map { "\($0)" } ?? "the database"): \(reason)\(".?!".contains(reason.last ?? " ") ? "" : ".")"
    }

    /// https://www.postgresql.org/docs/current/errcodes-appendix.html
    private func explain(_ refusal: PostgresError.Refusal) -> SourceError {
        let more = [refusal.detail, refusal.hint].compactMap(\.self).joined(separator: " ")
        let detail = cannot("\(refusal.message) (SQLSTATE \(refusal.state))") + (more.isEmpty ? "" : " \(more)")
        return switch refusal.state {
        case "25006":
            SourceError(message: "The query would change the database: a SELECT is expected.", detail: detail)
        case "42601" where refusal.message.contains("multiple commands"):
            SourceError(message: "The query is more than one statement: one SELECT is expected.", detail: detail)
        case "55P03":
            SourceError(message: "The database is locked by another program.", detail: "\(detail) It was waited for.")
        case "57014": SourceError(message: "The database ended the query: it took too long.", detail: detail)
        case "57P01", "57P02", "57P03", "08006", "08003":
            SourceError(message: "The database ended the connection.", detail: detail)
        case "53300":
            SourceError(message: "The database has no connection left.", detail: detail)
        case "08P01" where refusal.message.hasPrefix("bind message"):
            SourceError(message: "The query has not as many places as it is given values.", detail: detail)
        default: SourceError(message: "The query failed\(place(of: refusal)): \(refusal.message).", detail: detail)
        }
    }

    /// Where in a query of several lines something is wrong.
    private func place(of refusal: PostgresError.Refusal) -> String {
        guard let position = refusal.position, query.contains("\n") else { return "" }
        let before = query.unicodeScalars.prefix(max(0, position - 1))
        let line = before.count { $0 == "\n" } + 1
        return " in line \(line)"
    }
}
