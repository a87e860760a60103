import CLibwebsockets

/// What libwebsockets says when a connection of ours fails, in words that help.
enum ClientFailure {
    static func text(_ input: UnsafeRawBufferPointer, _ lws: OpaquePointer) -> String {
        if let doubt = doubt(lws) { return doubt }
        let text = String(decoding: input.prefix { $0 != 0 }, as: UTF8.self)
        if text.contains("not 101") || text.contains("upgrade response") {
            return "the server refused the WebSocket handshake; its log, or curl, tells why"
        }
        if text.contains("SSL") { return "no TLS could be agreed on; perhaps it is spoken without, as http or ws" }
        if text.contains("closed before established") { return "nothing listens there, or it hung up" }
        return text.isEmpty ? "nothing answered" : text
    }

    /// Why the certificate was not believed; nil: it was, or there was none.
    private static func doubt(_ lws: OpaquePointer) -> String? {
        guard let handshake = lws_get_ssl(lws), let trust = Connection.behind(lws)?.network.trust?.0, trust.isChecked
        else { return nil }
        let result = SSL_get_verify_result(handshake)
        guard result != X509_V_OK else { return nil }
        let reason = String(cString: X509_verify_cert_error_string(result))
        return "its certificate is not trusted: \(reason). \(trust.hint)"
    }
}
