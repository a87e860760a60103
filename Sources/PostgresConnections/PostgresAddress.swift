import CPostgres

/// Where a PostgreSQL server is, and who asks: a URL as libpq reads it, with several hosts if need be.
///
///     postgres://app:secret@one:5432,two:5432/shop?target_session_attrs=read-write&sslmode=verify-full
///
/// What the URL leaves out is libpq's: `PGPASSFILE`, `PGUSER`, a service file, certificates in `~/.postgresql`
/// (https://www.postgresql.org/docs/current/libpq-connect.html). Its text never has the password.
package struct PostgresAddress: Hashable, Sendable {
    let url: String
    /// Such as `app@one:5432,two:5432/shop`.
    private let shown: String

    /// - Throws: `PostgresError.noAddress` for anything that libpq can't read.
    package init(_ url: String) throws(PostgresError) {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw .noAddress(reason: "it should begin with postgres://")
        }
        guard !url.utf8.contains(0) else { throw .noAddress(reason: "it has a zero byte") }
        self.url = url
        shown = Self.shown(try Self.options(of: url))
    }

    /// What libpq reads from it, by name.
    private static func options(of url: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(url, &message) else {
            defer { PQfreemem(message) }
            throw .noAddress(reason: message.map { reason(String(cString: $0)) } ?? "out of memory")
        }
        defer { PQconninfoFree(parsed) }
        var options: [String: String] = [:]
        var next = parsed
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            next += 1
        }
        return options
    }

    /// What libpq says of a URL, without what it quotes of it, which may be the password. A parameter that it does not know is
    /// none.
    private static func reason(_ message: String) -> String {
        let line = message.prefix { !$0.isNewline }
        let isHarmless = line.hasPrefix("invalid URI query parameter")
        return String(isHarmless ? line : line[..<(line.firstRange(of: ": \"")?.lowerBound ?? line.endIndex)])
    }

    private static func shown(_ options: [String: String]) -> String {
        func parts(_ text: String?) -> [Substring] {
            (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
        }
        let hosts = parts(options["host"] ?? options["hostaddr"])
        let ports = parts(options["port"])
        let places = hosts.indices.map { index in
            let port = ports.indices.contains(index) ? ports[index] : ports.first ?? ""
            return port.isEmpty ? "\(hosts[index])" : "\(hosts[index]):\(port)"
        }
        let user = options["user"].map { "\($0)@" } ?? ""
        let database = options["dbname"].map { "/\($0)" } ?? ""
        // A service file says the rest.
        let service = options["service"].map { "?service=\($0)" } ?? ""
        return user + places.joined(separator: ",") + database + service
    }
}

extension PostgresAddress: CustomStringConvertible {
    /// Without the password.
    package var description: String { "postgres://\(shown)" }
}
