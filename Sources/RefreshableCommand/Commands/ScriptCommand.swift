import ArgumentParser
import WebSockets

/// `refreshable script FILE…`
struct ScriptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "script",
        abstract: "Runs WebSocket scripts, or an interactive session.",
        discussion: """
            A script is a conversation with one step per line:

              # a comment
              >  {"type":"watch","id":"1","list":"fruit"}   sends this text
              <  {"type":"welcome"}                         the next frame has these keys
              << {"type":"ok","id":"1"} within 10s          a frame has, in 5 s or as given
              !  {"type":"state","phase":"loading"} 1s      no frame has, unread or in 1 s
              b> {"type":"ping","id":"2"}                   a letter: another connection
              wait 2s   cut   open   b cut   b open         cut: without a Close frame

            "*" matches any value. "$run" matches any value the first time and the same value from then on, also in what is \
            sent. The last frame of a connection is {"type":"close","code":4103,"reason":"…"}. The file - opens an \
            interactive session: type frames, see frames.

            Exit status: 0 if every script passed, 1 if one failed, 64 for wrong usage, 66 if a script does not exist or \
            can't be read.
            """)

    @Argument(
        help: ArgumentHelp("Script files; - for an interactive session.", valueName: "FILE"),
        completion: .file(extensions: ["script"]))
    var files: [String]

    @Option(
        help: """
            The server's URL. (default: the demos, served in memory for each script) [REFRESHABLE_URL]
            """)
    var url: String?

    @OptionGroup var trusting: TrustOptions

    @OptionGroup var shown: ShownToken

    func validate() throws {
        if files.contains("-"), files.count > 1 { throw ValidationError("`-` is you, and stands alone.") }
    }

    func run() async throws {
        let url = url ?? EnvironmentVariables.all["REFRESHABLE_URL"]
        if files == ["-"] { return try await type(url) }
        let scripts = try read()
        var failed = 0
        for (file, steps) in scripts where !(await pass(file, steps, url)) { failed += 1 }
        Console.say("\(scripts.count - failed) passed, \(failed) failed")
        if failed > 0 { throw ExitCode.failure }
    }

    private func read() throws -> [(file: String, steps: [ScriptStep])] {
        try files.map { file in
            do {
                return (file, try ScriptParser.steps(of: try TextFile.read(file), file: file))
            } catch {
                Console.warn("\(error)")
                throw ExitCode.noInput
            }
        }
    }

    private func pass(_ file: String, _ steps: [ScriptStep], _ url: String?) async -> Bool {
        let start = ContinuousClock.now
        do {
            let trust = trusting.trust
            try await Self.serving(url) { socketURL in
                var runner = ScriptRunner(file: file) { [headers = shown.headers] _ in
                    try await SocketConnection(url: socketURL, headers: headers, trust: trust)
                }
                try await runner.run(steps)
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            Console.say("PASS  \(file)  (\(steps.count) steps, \((seconds * 10).rounded() / 10) s)")
            return true
        } catch {
            Console.say("FAIL  \(error)")
            return false
        }
    }

    private func type(_ url: String?) async throws {
        do {
            let trust = trusting.trust
            try await Self.serving(url) {
                try await InteractiveScript(url: $0, headers: shown.headers, trust: trust).run()
            }
        } catch {
            Console.warn("\(error)")
            throw ExitCode.failure
        }
    }

    /// Calls `body` with the address of the socket: that of a server which is there, or of one for the time being.
    private static func serving(_ url: String?, _ body: @Sendable (String) async throws -> Void) async throws {
        if let url { return try await body(SocketAddress.socket(of: url)) }
        try await DemoServer.serve { port in try await body("ws://localhost:\(port)/ws") }
    }
}

/// A connection of a script, by WebSocket.
///
/// How it ends is the last frame: `{"code":4103,"reason":"…","type":"close"}`.
final class SocketConnection: ScriptConnection {
    let inbox = FrameInbox()
    private let client: EventSocket
    private let listening: Task<Void, Never>

    /// Connects, and returns when the handshake is done.
    ///
    /// - Parameters:
    ///   - url: such as `ws://localhost:8080/ws`.
    ///   - headers: for the handshake.
    ///   - trust: which servers are believed.
    ///   - receive: called with each frame.
    /// - Throws: `SocketError` if there is no connection to be had.
    init(
        url: String, headers: HTTPHeaders = [:], trust: ServerTrust = ServerTrust(),
        receive: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        let client = try EventSocket(url: url, subprotocol: "refreshable.v1", headers: headers, trust: trust)
        let inbox = inbox
        let opening = AsyncStream<Result<Void, SocketError>>.makeStream()
        listening = Task {
            for await event in client.events {
                switch event {
                case .opened: opening.continuation.yield(.success(()))
                case .failed(let error): opening.continuation.yield(.failure(error))
                case .text(let text):
                    receive(text)
                    await inbox.put(text)
                case .binary(let bytes): await inbox.put(#"{"length":\#(bytes.count),"type":"binary"}"#)
                case .closed(let closing):
                    let frame = Self.frame(for: closing)
                    receive(frame)
                    await inbox.put(frame)
                }
            }
            await inbox.end()
        }
        self.client = client
        client.connect()
        for await result in opening.stream {
            try result.get()
            return
        }
    }

    func send(_ text: String) async { client.send(text) }

    func close() async {
        client.close()
        await end()
    }

    func cut() async {
        client.cut()
        await end()
    }

    private func end() async {
        await listening.value
        await client.stop()
    }

    private static func frame(for closing: CloseStatus) -> String {
        ScriptFrames.close(code: closing.code, reason: closing.reason)
    }
}
