/// Why a PostgreSQL server did not do what was asked, in its own words or libpq's. None has a password.
package enum PostgresError: Error, Hashable, Sendable {
    /// The text is no URL of a server.
    case noAddress(reason: String)
    /// There is no connection.
    case notConnected(String, password: PasswordUse)
    /// The server refused a statement.
    case refused(Refusal)
    /// The connection ended while something was asked.
    case lost(String)

    /// Whether the server wanted a password.
    package enum PasswordUse: Hashable, Sendable {
        case notWanted
        /// It wanted one, and none was given.
        case missing
        /// It wanted one, and may not have liked it.
        case given
    }

    /// What the server says of a statement.
    package struct Refusal: Hashable, Sendable {
        /// Five characters: https://www.postgresql.org/docs/current/errcodes-appendix.html
        package var state: String
        package var message: String
        package var detail: String?
        package var hint: String?
        /// Where in the statement, in characters from 1.
        package var position: Int?
    }
}
