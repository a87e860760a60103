import CLibwebsockets

/// The C array of extensions that a vhost points to for as long as it lives: our `permessage-deflate`, and zeros, the end.
///
/// The extension has libwebsockets negotiate, and pass on frames that say they are compressed, as they are. To inflate is
/// our part, and so is to deflate: the library's own extension aborts the process at an empty message.
final class ExtensionTable {
    let extensions: UnsafeMutablePointer<lws_extension>
    private let name: UnsafeMutablePointer<CChar>

    init() {
        guard let name = strdup(DeflateNegotiation.name) else { preconditionFailure("Out of memory.") }
        self.name = name
        extensions = .allocate(capacity: 2)
        var entry = lws_extension()
        entry.name = UnsafePointer(name)
        entry.callback = extensionCallback
        extensions.initialize(to: entry)
        (extensions + 1).initialize(to: lws_extension())
    }

    deinit {
        extensions.deallocate()
        free(name)
    }

    /// The options libwebsockets is to look for in an offer: none. `DeflateNegotiation` has looked.
    nonisolated(unsafe) fileprivate static let noOptions: UnsafePointer<lws_ext_options> = {
        let end = UnsafeMutablePointer<lws_ext_options>.allocate(capacity: 1)
        end.initialize(to: lws_ext_options())
        return UnsafePointer(end)
    }()
}

/// What libwebsockets asks an extension. 0 to LWS_EXT_CB_PAYLOAD_RX is "as if there were none".
private func extensionCallback(
    context: OpaquePointer?, extension: UnsafePointer<lws_extension>?, lws: OpaquePointer?,
    reason: lws_extension_callback_reasons, user: UnsafeMutableRawPointer?, input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
    guard reason == LWS_EXT_CB_CONSTRUCT, let lws else { return 0 }
    input?.assumingMemoryBound(to: UnsafePointer<lws_ext_options>.self).pointee = ExtensionTable.noOptions
    return Connection.behind(lws)?.takesOffer() == true ? 0 : -1
}
