import ArgumentParser
import WebSockets

/// `refreshable health [URL]`
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Checks whether a server is healthy.",
        discussion: "Exit status: 0 if it is healthy, or ready; 1 if it is not or can't be reached.")

    @Argument(
        help: """
            The server's URL. (default: http://localhost:8080, or the port in REFRESHABLE_PORT, with https if there \
            is a REFRESHABLE_CERTIFICATE) [REFRESHABLE_URL]
            """, completion: Completions.servers)
    var url: String?

    @Flag(help: "Checks whether it is ready for people (/readyz): not while its database is away, or while it stops.")
    var ready = false

    @OptionGroup var trusting: TrustOptions

    @OptionGroup var shown: ShownToken

    func run() async throws {
        var trust = trusting.trust
        // This machine's own server is asked by a name that no certificate is made for, and is told nothing secret.
        if url == nil { trust.isChecked = false }
        let url = url ?? Self.standardURL(EnvironmentVariables.all)
        let question = (url.hasSuffix("/") ? String(url.dropLast()) : url) + (ready ? "/readyz" : "/healthz")
        let state = ready ? "ready" : "healthy"
        do {
            let answer = try await HTTPClient.get(question, headers: shown.headers, trust: trust)
            guard answer.status == 200 else {
                return try Self.fail("\(url) is not \(state): it answered \(answer.status)\(Self.reason(of: answer))")
            }
            Console.say("\(url) is \(state).")
        } catch let error as SocketError {
            try Self.fail("\(url) is not \(state). \(error)")
        }
    }

    /// The server that `serve` starts with these variables.
    static func standardURL(_ environment: [String: String]) -> String {
        if let url = environment["REFRESHABLE_URL"] { return url }
        let scheme = environment["REFRESHABLE_CERTIFICATE"] == nil ? "http" : "https"
        return "\(scheme)://localhost:\(environment["REFRESHABLE_PORT"] ?? "8080")"
    }

    /// The server's own message, if it is a sentence and not a page or object.
    private static func reason(of answer: HTTPResponse) -> String {
        let line = String(decoding: answer.body.prefix(200), as: UTF8.self).split { $0.isNewline }.first
        guard let line, let first = line.first, first != "<", first != "{" else { return "." }
        return ": \(line)"
    }

    private static func fail(_ line: String) throws {
        Console.warn(line)
        throw ExitCode.failure
    }
}
