import ArgumentParser
import WebSockets

/// `refreshable health [URL]`
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Asks a server whether it is well.",
        discussion: "Ends with status 0 if it is, with 1 if it is not or can't be reached.")

    @Argument(
        help: """
            Where the server is. (default: http://localhost:8080, or the port in REFRESHABLE_PORT) [REFRESHABLE_URL]
            """, completion: Completions.servers)
    var url: String?

    func run() async throws {
        let url = url ?? Self.standardURL(EnvironmentVariables.all)
        let question = (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/healthz"
        do {
            let answer = try await HTTPClient.get(question)
            guard answer.status == 200 else {
                return try Self.fail("\(url) is not well: it answered \(answer.status).")
            }
            Console.say("\(url) is well.")
        } catch let error as SocketError {
            try Self.fail("\(url) is not well. \(error)")
        }
    }

    /// The server that `serve` starts with these variables.
    static func standardURL(_ environment: [String: String]) -> String {
        environment["REFRESHABLE_URL"] ?? "http://localhost:\(environment["REFRESHABLE_PORT"] ?? "8080")"
    }

    private static func fail(_ line: String) throws {
        Console.warn(line)
        throw ExitCode.failure
    }
}
