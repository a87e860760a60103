import CLibwebsockets

/// The one function libwebsockets calls: it finds the Swift object, hands over, returns.
///
/// An unknown reason, and a connection that is not ours, are harmless. Returning anything but 0 ends the connection.
func networkCallback(
    lws: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
    input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
    // While protocols are made and unmade, `lws` is a stand-in.
    guard let lws, reason != LWS_CALLBACK_PROTOCOL_INIT, reason != LWS_CALLBACK_PROTOCOL_DESTROY else { return 0 }
    if reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS
        || reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS
    {
        guard let network = NetworkContext.behind(lws_context_user(lws_get_context(lws))), let user else { return 0 }
        return network.secure(OpaquePointer(user), reason)
    }
    if reason == LWS_CALLBACK_RAW_ADOPT { Connection.bindAdopted(lws) }
    guard let connection = Connection.behind(lws) else { return 0 }
    return connection.handle(reason, UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length), lws)
}
