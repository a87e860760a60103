import CLibwebsockets

/// Who speaks HTTP without TLS at a port of TLS hears that it is one, instead of nothing.
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
