import WebSockets

/// Sends each word to a server, and prints what comes back:
///
///     swift run --package-path Examples/WebSockets Client ws://localhost:8080/ hello world
@main struct Client {
    static func main() async throws {
        guard let url = CommandLine.arguments.dropFirst().first else {
            return print("Give an address, such as ws://localhost:8080/, and words to send.")
        }
        let socket = try await WebSocketClient.connect(to: url)
        for word in CommandLine.arguments.dropFirst(2) {
            try await socket.send(word)
            switch await socket.receive() {
            case .text(let text): print(text)
            case .binary(let bytes): print("\(bytes.count) bytes")
            case nil: print("The server has closed.")
            }
        }
        let status = try await socket.close()
        print("closed with \(status.code)\(status.wasClean ? "" : ", not cleanly")")
    }
}
