import CLibwebsockets

/// A certificate, those that vouch for it, and its key: read from PEM files, and found to belong together.
///
/// Never changes, so all loops share one; a renewed one is another.
public final class Certificate: Equatable, @unchecked Sendable {
    /// Where the certificates were read.
    public let file: String
    /// When browsers begin to take it, in milliseconds since 1970.
    public let validFrom: Int64
    /// When browsers take it no more, in milliseconds since 1970.
    public let validUntil: Int64
    private let chain: CertificateChain
    private let key: PrivateKey
    /// What stands in the files.
    private let texts: [[UInt8]]

    /// Reads and checks them. It may be expired: that is for its owner to say.
    ///
    /// - Parameters:
    ///   - file: PEM: the server's own certificate, then those between it and one that browsers know.
    ///   - keyFile: PEM: the private key of the first one, without a password.
    /// - Throws: `SocketError.cannotSecure`, which names the file and says what to do.
    public init(file: String, keyFile: String) throws(SocketError) {
        self.file = file
        let files = (certificates: try PEMFile(file), key: try PEMFile(keyFile))
        texts = [files.certificates.bytes, files.key.bytes]
        chain = try files.certificates.certificates()
        key = try files.key.key()
        switch chain.place(of: key) {
        case 0: break
        case let place?:
            throw .cannotSecure(
                file: file,
                reason: "the key belongs to its certificate number \(place + 1). The server's own must come first.")
        case nil:
            throw .cannotSecure(
                file: keyFile,
                reason: "the key does not belong to the certificate in \(file). Give the key it was requested with.")
        }
        validFrom = Self.milliseconds(X509_get0_notBefore(chain.first))
        validUntil = Self.milliseconds(X509_get0_notAfter(chain.first))
        try ServerSecurity.check(self)
    }

    /// The day on which browsers take it for the last time, such as 2027-01-31 (UTC).
    public var lastDay: String {
        var seconds = time_t(validUntil / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = [Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(1900 + Int(parts.tm_year))-\(day.joined(separator: "-"))"
    }

    /// Whether it was made for this host: a name, or a numeric address without brackets.
    public func isFor(_ host: String) -> Bool {
        if X509_check_ip_asc(chain.first, host, 0) == 1 { return true }
        return X509_check_host(chain.first, host, host.utf8.count, 0, nil) == 1
    }

    /// Has one handshake show it, and nothing that its connection was made with. false: OpenSSL does not take it.
    func show(to handshake: OpaquePointer) -> Bool {
        SSL_certs_clear(handshake)
        return SSL_use_cert_and_key(handshake, chain.first, key.key, chain.others, 1) == 1
    }

    /// Whether the files said the same.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.texts == right.texts }

    private static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return 0 }
        return Int64(timegm(&parts)) * 1000
    }
}
