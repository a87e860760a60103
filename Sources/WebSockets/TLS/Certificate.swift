import CLibwebsockets

/// A certificate chain and its private key, read from PEM files and checked to belong together.
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

    /// Whether the files have the same content.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.texts == right.texts }

    private static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return 0 }
        return Int64(timegm(&parts)) * 1000
    }
}

extension Certificate {
    /// What browsers make of a certificate's dates.
    public enum Validity: Equatable, Sendable {
        /// It is taken, and for a while.
        case good
        /// Within ten days; its owner should have renewed it by now, as those who issue them for 90 days say: in the last 30.
        case endsSoon
        /// It is taken no more.
        case expired
        /// It begins later; perhaps the clock is wrong.
        case early
    }

    /// Whether it was made for a host as a URL has it: `name`, `name:8443`, `[::1]:8443`.
    package func covers(_ authority: String) -> Bool {
        guard let host = Authority(authority)?.host else { return isFor(authority) }
        return isFor(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }

    /// - Parameter now: in milliseconds since 1970.
    public func validity(at now: Int64) -> Validity {
        if validUntil <= now { return .expired }
        if validFrom > now { return .early }
        return validUntil - now < 10 * 24 * 3600 * 1000 ? .endsSoon : .good
    }
}

/// The certificate chain in order: the server's own first.
///
/// Owns OpenSSL's `STACK_OF(X509)`. Filled by one thread, then only read.
final class CertificateChain: @unchecked Sendable {
    /// Of all but the first.
    let others: OpaquePointer
    private(set) var first: OpaquePointer?
    private(set) var count = 0

    init() {
        guard let others = OPENSSL_sk_new_null() else { preconditionFailure("Out of memory.") }
        self.others = others
    }

    deinit {
        X509_free(first)
        OPENSSL_sk_pop_free(others) { certificate in X509_free(certificate.map { OpaquePointer($0) }) }
    }

    var isEmpty: Bool { first == nil }

    /// Takes a certificate over.
    func append(_ certificate: OpaquePointer) {
        count += 1
        if first == nil { first = certificate } else { OPENSSL_sk_push(others, UnsafeRawPointer(certificate)) }
    }

    /// The place, from 0, of a certificate that belongs to a key; nil: of none.
    func place(of key: PrivateKey) -> Int? {
        defer { ERR_clear_error() }
        if X509_check_private_key(first, key.key) == 1 { return 0 }
        return (0..<OPENSSL_sk_num(others)).first { index in
            X509_check_private_key(OPENSSL_sk_value(others, index).map { OpaquePointer($0) }, key.key) == 1
        }.map { Int($0) + 1 }
    }
}
