import CLibwebsockets

/// Which servers a client of ours believes to be what they say.
public struct ServerTrust: Hashable, Sendable {
    /// A PEM file of the authorities that are trusted, instead of those that the system trusts. Nil: the system's.
    public var authorities: String?
    /// Whether the server's certificate is checked at all. Without, anybody on the way can read and change everything.
    public var isChecked = true
    /// What a person can do about a server that is not trusted; ends the error.
    public var hint = "Trust its authority, or do not check."

    /// The authorities that the system trusts.
    public init() {}

    /// - Throws: where the file of the authorities can't be read.
    func check() throws(SocketError) {
        guard let authorities else { return }
        _ = try PEMFile(authorities).certificates()
    }

    /// For lws_client_connect_info.ssl_connection.
    var flags: UInt32 {
        // libwebsockets cuts an address of IPv6 at its first colon, so the name is checked by `apply`.
        let always = LCCSCF_USE_SSL.rawValue | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue
        let unchecked =
            LCCSCF_ALLOW_SELFSIGNED.rawValue | LCCSCF_ALLOW_INSECURE.rawValue | LCCSCF_ALLOW_EXPIRED.rawValue
        return isChecked ? always : always | unchecked
    }

    /// Sets up the SSL_CTX of a client that connects to one host alone.
    func apply(to context: OpaquePointer, host: String) {
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        guard isChecked, let rule = SSL_CTX_get0_param(context) else { return }
        X509_VERIFY_PARAM_set_hostflags(rule, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        if X509_VERIFY_PARAM_set1_ip_asc(rule, host) != 1 {
            X509_VERIFY_PARAM_set1_host(rule, host, host.utf8.count)
        }
        ERR_clear_error()
    }
}
