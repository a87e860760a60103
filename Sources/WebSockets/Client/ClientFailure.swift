/// What libwebsockets says when a connection of ours fails, in words that help.
enum ClientFailure {
    static func text(_ input: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: input.prefix { $0 != 0 }, as: UTF8.self)
        if text.contains("not 101") || text.contains("upgrade response") {
            return "the server refused the WebSocket handshake; its log, or curl, tells why"
        }
        if text.contains("closed before established") { return "nothing listens there, or it hung up" }
        return text.isEmpty ? "nothing answered" : text
    }
}
