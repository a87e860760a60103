import ArgumentParser
import RefreshableListsClient
import WebSockets

/// The token that a command shows to a server, if the server asks for one.
struct ShownToken: ParsableArguments {
    @Option(help: "The access token. Prefer the variable: other users can see arguments. [REFRESHABLE_TOKEN]")
    var token: String?

    /// For a request or a handshake.
    var headers: HTTPHeaders { Self.headers(token) }

    /// The one to show, if there is one.
    var text: String? { Self.text(token) }

    /// - Parameter token: nil: the one of the environment.
    static func headers(_ token: String?) -> HTTPHeaders {
        text(token).map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }

    private static func text(_ token: String?) -> String? {
        guard let text = token ?? EnvironmentVariables.all["REFRESHABLE_TOKEN"], !text.isEmpty else { return nil }
        return text
    }
}

/// Which servers that speak TLS a command believes.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: """
            With https: a PEM file of trusted certificate authorities, instead of the system's. [REFRESHABLE_CA_FILE]
            """, completion: .file(extensions: ["pem", "crt"]))
    var authorities: String?

    @Flag(
        help:
            "With https: does not verify the server's certificate. Anyone on the way can then read and change data."
    )
    var insecure = false

    func validate() throws {
        if authorities != nil, insecure { throw ValidationError("Choose one: --ca-file or --insecure.") }
    }

    var trust: ServerTrust {
        var trust = ServerTrust()
        trust.authorities = insecure ? nil : authorities ?? EnvironmentVariables.all["REFRESHABLE_CA_FILE"]
        trust.isChecked = !insecure
        trust.hint =
            "Name a file with its authority by --ca-file, or, if nothing is at stake, leave the check out by --insecure"
        return trust
    }
}

/// A client of the server that a command was given.
enum CommandClient {
    /// Somebody waits for it: a server that is not there at first is an error.
    static func client(of url: String, _ shown: ShownToken, _ trusting: TrustOptions) -> ListClient {
        var configuration = ListClient.Configuration()
        configuration.waitsForServer = false
        configuration.transport = WebSocketTransport(trust: trusting.trust)
        return ListClient(url, token: shown.text, configuration: configuration)
    }
}

/// Addresses of servers, as people type them.
enum SocketAddress {
    /// `http://host:8080/` is the socket `ws://host:8080/ws`; an address that begins with `ws` is taken as it is.
    static func socket(of url: String) -> String {
        guard !url.hasPrefix("ws://"), !url.hasPrefix("wss://") else { return url }
        let scheme = url.hasPrefix("https://") ? "wss://" : "ws://"
        let host = ["http://", "https://"].first(where: url.hasPrefix).map { url.dropFirst($0.count) } ?? url[...]
        return scheme + (host.hasSuffix("/") ? host.dropLast() : host) + "/ws"
    }
}

/// Shell completions for the word at the cursor.
enum Completions {
    /// Files of settings.
    static var settings: CompletionKind { .file(extensions: ["yaml", "yml"]) }

    /// Servers: the one of the environment, and the one that `serve` starts.
    static var servers: CompletionKind {
        .custom { _, _, _ in
            let standard = HealthCommand.standardURL(EnvironmentVariables.all)
            return standard == "http://localhost:8080" ? [standard] : [standard, "http://localhost:8080"]
        }
    }

    /// The lists of the server that was named before.
    static var lists: CompletionKind {
        .custom { words, _, _ in
            guard let url = words.first(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }) else {
                return []
            }
            return await names(of: url)
        }
    }

    /// None if the server does not answer within a second, as the shell is waiting.
    private static func names(of url: String) async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            group.addTask {
                do {
                    return try await ServedNames.of(url, headers: ShownToken.headers(nil))
                } catch {
                    // A shell can't tell an error to who is typing; the command will.
                    return []
                }
            }
            group.addTask {
                do { try await Task.sleep(for: .seconds(1)) } catch { return [] }
                return []
            }
            defer { group.cancelAll() }
            return await group.next() ?? []
        }
    }
}
