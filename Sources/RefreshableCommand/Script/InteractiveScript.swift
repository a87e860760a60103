import WebSockets

/// An interactive conversation with a server: what is typed is sent, what comes is printed.
struct InteractiveScript {
    /// Of the socket.
    let url: String
    /// For each handshake.
    let headers: HTTPHeaders
    /// Which servers are believed.
    var trust = ServerTrust()

    private static let help = """
        Type frames, such as {"type":"watch","id":"1","list":"fruit"}. Also: cut, open, wait 2s. The end of the input ends it.
        """

    /// Until the input ends.
    func run() async throws {
        Console.say("Connecting to \(url). \(Self.help)")
        var connection: SocketConnection? = try await connect()
        for await line in StandardInput.lines() {
            do {
                try await perform(try Self.action(line), &connection)
            } catch let fault as ScriptParser.LineFault {
                Console.warn("\(fault.problem) \(Self.help)")
            }
        }
        await connection?.close()
    }

    private func perform(_ action: ScriptStep.Action?, _ connection: inout SocketConnection?) async throws {
        switch action {
        case .send(let text):
            guard let connection else { return Console.warn("The connection was cut. `open` it first.") }
            await connection.send(text)
        case .cut:
            await connection?.cut()
            connection = nil
        case .open:
            await connection?.close()
            connection = try await connect()
        case .wait(let duration): try await Task.sleep(for: duration)
        case .next, .eventually, .never: Console.warn("Frames are printed as they come; nothing is expected here.")
        case nil: return
        }
    }

    private func connect() async throws -> SocketConnection {
        try await SocketConnection(url: url, headers: headers, trust: trust) {
            Console.say("< \(TerminalText.json($0))")
        }
    }

    /// What a typed line means; `>` may be left out. Nil for an empty line and a comment.
    static func action(_ line: String) throws(ScriptParser.LineFault) -> ScriptStep.Action? {
        let text = line.trimmed
        return text.hasPrefix("{") ? .send(text) : try ScriptParser.step(text, line: 1)?.action
    }
}
