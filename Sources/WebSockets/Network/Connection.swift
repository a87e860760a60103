import CLibwebsockets
import CPlatform

/// One `struct lws` of libwebsockets, and what we know about it: the base of server and client connections.
///
/// libwebsockets holds one reference to it, from adoption to LWS_CALLBACK_WSI_DESTROY. On its loop's thread only.
class Connection: @unchecked Sendable {
    let network: NetworkContext
    /// nil before it is bound and after it was destroyed: from then on every call on it does nothing.
    private(set) var lws: OpaquePointer?

    init(network: NetworkContext) {
        self.network = network
    }

    /// Overridden: what to do about one callback. Not 0 ends the connection.
    func handle(_ reason: lws_callback_reasons, _ input: UnsafeRawBufferPointer, _ lws: OpaquePointer) -> Int32 {
        if reason == LWS_CALLBACK_WSI_DESTROY { unbind() }
        return 0
    }

    /// Overridden: the connection has ended.
    func destroyed() {}

    /// Ends the connection at once, from outside of callbacks only. What is partly sent is lost.
    func end() {
        guard let lws else { return }
        lws_set_timeout(lws, PENDING_TIMEOUT_AWAITING_PROXY_RESPONSE, shim_LWS_TO_KILL_SYNC)
    }

    /// The socket's descriptor, if what is written to it goes out as it is; nil for TLS.
    var plainDescriptor: Int32? {
        guard let lws, lws_is_ssl(lws) == 0 else { return nil }
        return lws_get_socket_fd(lws)
    }

    /// Bytes the peer's system has acknowledged, or nil where that is not known.
    var bytesAcknowledged: Int64? {
        guard let lws else { return nil }
        let bytes = shim_bytes_acknowledged(lws_get_socket_fd(lws))
        return bytes < 0 ? nil : bytes
    }

    /// Whether the peer has ended its side of the stream, or all of it, though nothing is read from it now.
    var hasLeft: Bool { lws.map { shim_has_left(lws_get_socket_fd($0)) != 0 } ?? true }

    /// Bytes that have come and are not read yet.
    var unread: Int { lws.map { Int(shim_unread(lws_get_socket_fd($0))) } ?? 0 }

    private func bind(_ lws: OpaquePointer) {
        self.lws = lws
        lws_set_opaque_user_data(lws, Unmanaged.passRetained(self).toOpaque())
    }

    private func unbind() {
        guard let lws else { return }
        self.lws = nil
        lws_set_opaque_user_data(lws, nil)
        destroyed()
        Unmanaged.passUnretained(self).release()
    }

    static func behind(_ lws: OpaquePointer) -> Connection? {
        lws_get_opaque_user_data(lws).map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The first callback of an adopted descriptor, before any byte of it is read.
    static func bindAdopted(_ lws: OpaquePointer) {
        guard let context = lws_get_context(lws), let user = lws_context_user(context) else { return }
        let network = Unmanaged<NetworkContext>.fromOpaque(user).takeUnretainedValue()
        guard let connection = network.adopting, connection.lws == nil else { return }
        connection.bind(lws)
    }
}

/// The one function libwebsockets calls: it finds the Swift object, hands over, returns.
///
/// An unknown reason, and a connection that is not ours, are harmless. Returning anything but 0 ends the connection.
func networkCallback(
    lws: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
    input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
    // While protocols are made and unmade, `lws` is a stand-in.
    guard let lws, reason != LWS_CALLBACK_PROTOCOL_INIT, reason != LWS_CALLBACK_PROTOCOL_DESTROY else { return 0 }
    if reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS {
        guard let network = NetworkContext.behind(lws_context_user(lws_get_context(lws))), let user else { return 0 }
        return network.secure(OpaquePointer(user))
    }
    if reason == LWS_CALLBACK_RAW_ADOPT { Connection.bindAdopted(lws) }
    guard let connection = Connection.behind(lws) else { return 0 }
    return connection.handle(reason, UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length), lws)
}
