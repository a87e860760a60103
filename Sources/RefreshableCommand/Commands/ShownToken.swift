import ArgumentParser
import WebSockets

/// The token that a command shows to a server, if the server asks for one.
struct ShownToken: ParsableArguments {
    @Option(help: "What to show to a server that asks for tokens; better in the variable. [REFRESHABLE_TOKEN]")
    var token: String?

    /// For a request or a handshake.
    var headers: HTTPHeaders { Self.headers(token) }

    /// - Parameter token: nil: what the environment says.
    static func headers(_ token: String?) -> HTTPHeaders {
        guard let text = token ?? EnvironmentVariables.all["REFRESHABLE_TOKEN"], !text.isEmpty else { return [:] }
        return ["Authorization": "Bearer \(text)"]
    }
}
