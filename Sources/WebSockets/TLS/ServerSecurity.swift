import CLibwebsockets
import CPlatform

/// Sets up TLS for a server: 1.2 or 1.3, only with forward secrecy, for HTTP/1.1 alone.
///
/// A handshake asks its loop for the certificate. So a renewed one is shown from the next handshake on and touches no
/// connection; loaded into the SSL_CTX instead, it would stand beside the old one if its key is of another kind.
enum ServerSecurity {
    /// The TLS options for libwebsockets, which keeps the pointer.
    nonisolated(unsafe) static let protocols = UnsafePointer(strdup("http/1.1"))

    /// The ciphers of TLS 1.2 that Mozilla calls intermediate, but for those without elliptic curves:
    /// https://wiki.mozilla.org/Security/Server_Side_TLS. Those of 1.3 are all good.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// Sets up the SSL_CTX that libwebsockets has made for a loop's vhost. false: OpenSSL refuses.
    static func apply(to context: OpaquePointer, of network: NetworkContext) -> Bool {
        // SSL_CTX_set_min_proto_version is a macro for this.
        guard SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1,
            SSL_CTX_set_cipher_list(context, ciphers) == 1
        else { return false }
        SSL_CTX_set_options(context, shim_SSL_NO_RENEGOTIATION)
        SSL_CTX_set_cert_cb(context, showCertificate, Unmanaged.passUnretained(network).toOpaque())
        PlainHTTPRefusal.refuse(at: context)
        return true
    }

    /// Refuses who offers protocols, but not HTTP/1.1 (RFC 7301 §3.2). libwebsockets would go on as if nothing had been
    /// offered, and sets its own way after `apply`.
    static func refuseOtherProtocols(_ context: OpaquePointer) {
        SSL_CTX_set_alpn_select_cb(context, chooseProtocol, nil)
    }

    /// - Throws: where OpenSSL does not take a certificate, as one with too short a key.
    static func check(_ certificate: Certificate) throws(SocketError) {
        let context = SSL_CTX_new(TLS_server_method())
        let trial = SSL_new(context)
        defer {
            SSL_free(trial)
            SSL_CTX_free(context)
            ERR_clear_error()
        }
        guard let trial, !certificate.show(to: trial) else { return }
        let reason = PEMFile.text(of: ERR_peek_last_error())
        throw .cannotSecure(file: certificate.file, reason: "OpenSSL refuses it (\(reason)). Get another certificate.")
    }
}

/// 1: go on; 0: end the handshake.
private func showCertificate(handshake: OpaquePointer?, network: UnsafeMutableRawPointer?) -> Int32 {
    guard let handshake, let network else { return 0 }
    let certificate = Unmanaged<NetworkContext>.fromOpaque(network).takeUnretainedValue().certificate
    return certificate?.show(to: handshake) == true ? 1 : 0
}

private func chooseProtocol(
    handshake: OpaquePointer?, chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    chosenLength: UnsafeMutablePointer<UInt8>?, offered: UnsafePointer<UInt8>?, offeredLength: UInt32,
    unused: UnsafeMutableRawPointer?
) -> Int32 {
    var rest = UnsafeBufferPointer(start: offered, count: Int(offeredLength))[...]
    while let length = rest.popFirst().map(Int.init), length <= rest.count {
        let name = rest.prefix(length)
        if name.elementsEqual("http/1.1".utf8), let offered {
            chosen?.pointee = offered + name.startIndex
            chosenLength?.pointee = UInt8(length)
            return SSL_TLSEXT_ERR_OK
        }
        rest = rest.dropFirst(length)
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// Answers plain HTTP on a TLS port with an error that says so.
///
/// That, and no more: nothing that is served ever goes over such a connection, nor is anything of what came looked at.
/// OpenSSL knows GET, HEAD, POST and PUT by their first bytes; what else is no TLS is hung up on.
enum PlainHTTPRefusal {
    private static let answer: [UInt8] = {
        let text = "This port speaks TLS: ask for https:// in place of http://.\n"
        let head = [
            "HTTP/1.1 400 Bad Request", "Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.utf8.count)",
            "Connection: close",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + text).utf8)
    }()

    /// More of a request is not waited for. In bytes.
    private static let room = 1 << 16

    /// Has an SSL_CTX answer so.
    static func refuse(at context: OpaquePointer) {
        SSL_CTX_set_info_callback(context) { handshake, step, result in
            guard step == shim_SSL_CB_ACCEPT_EXIT, result <= 0, PlainHTTPRefusal.isRequest(ERR_peek_error()) else {
                return
            }
            PlainHTTPRefusal.answer(to: SSL_get_fd(handshake))
        }
    }

    /// The queue of errors is emptied at the beginning of each step of a handshake: this is about the one at hand.
    private static func isRequest(_ error: UInt) -> Bool {
        ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_HTTP_REQUEST
    }

    /// Its descriptor is closed by whoever owns it. What came is read away, as the system else cuts the connection before
    /// the answer is there.
    private static func answer(to descriptor: Int32) {
        guard shim_send(descriptor, answer, answer.count) == answer.count else { return }
        shutdown(descriptor, shim_SHUT_WR)
        var scrap = [UInt8](repeating: 0, count: room)
        _ = recv(descriptor, &scrap, scrap.count, shim_MSG_DONTWAIT)
    }
}
