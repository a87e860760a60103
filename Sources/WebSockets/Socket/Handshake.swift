import CLibwebsockets

/// The request that opened a WebSocket.
package struct Handshake: Sendable {
    /// Percent-decoded, such as `/ws`.
    package var path: String
    /// The path as it came, percent-encoded.
    package var rawPath: String
    /// What followed the `?`; empty if there was none.
    package var query: String
    /// Kept until `LoopHandler.opened` returns, then dropped: thousands of idle sockets need no headers.
    package var headers: HTTPHeaders
    /// The client's address, such as `127.0.0.1`; behind a trusted proxy, as the proxy reports it.
    package var remoteAddress: String
    /// The one both sides agreed on; nil if the peer offered none.
    package var subprotocol: String?
    /// Whether the client uses TLS; behind a trusted proxy, as the proxy reports it.
    var isSecure = false
}

extension Handshake {
    /// A handshake that was made elsewhere.
    package init(path: String, headers: HTTPHeaders, remoteAddress: String) {
        self.init(
            path: path, rawPath: path, query: "", headers: headers, remoteAddress: remoteAddress,
            subprotocol: "refreshable.v1")
    }

    /// What opens the socket (RFC 6455 §4.2.2).
    ///
    /// - Parameter extensions: those that were agreed upon; nil: none.
    func answer(extensions: String?) -> [UInt8] {
        var lines = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(Self.proof(of: headers["Sec-WebSocket-Key"] ?? ""))",
        ]
        if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
        if let extensions { lines.append("Sec-WebSocket-Extensions: \(extensions)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// What shows that the key was read by somebody who speaks WebSocket: SHA-1 by the OpenSSL that libwebsockets is linked
    /// with, in base64.
    static func proof(of key: String) -> String {
        let input = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        SHA1(input, input.count, &digest)
        // A letter for six bits, and the zero that EVP_EncodeBlock puts behind.
        var text = [UInt8](repeating: 0, count: (digest.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&text, digest, Int32(digest.count))
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }
}
