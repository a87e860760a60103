import CLibwebsockets

/// A text file of certificates or keys: `-----BEGIN …-----` (RFC 7468), read whole.
struct PEMFile {
    let path: String
    let bytes: [UInt8]
    /// More is no chain and no key. In bytes.
    private static let limit = 1 << 20

    init(_ path: String) throws(SocketError) {
        self.path = path
        let file = shim_open(path)
        guard file >= 0 else { throw .cannotSecure(file: path, reason: Self.advice(shim_errno())) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &piece, piece.count)
            guard count >= 0 else { throw .cannotSecure(file: path, reason: Self.advice(shim_errno())) }
            if count == 0 { break }
            bytes += piece[..<count]
            guard bytes.count <= Self.limit else {
                throw .cannotSecure(file: path, reason: "it is larger than 1 MiB, so it is something else.")
            }
        }
        self.bytes = bytes
    }

    /// The certificates in it, in order; at least one.
    func certificates() throws(SocketError) -> CertificateChain {
        let chain = CertificateChain()
        withReader { reader in
            while let certificate = PEM_read_bio_X509(reader, nil, nil, nil) { chain.append(certificate) }
        }
        // The end of the text is an error, too.
        let fault = ERR_peek_last_error()
        ERR_clear_error()
        if chain.isEmpty { throw .cannotSecure(file: path, reason: whyNoCertificate) }
        guard Self.isEnd(fault) else {
            throw .cannotSecure(
                file: path,
                reason: "its certificate number \(chain.count + 1) is damaged (\(Self.text(of: fault))). Get it anew.")
        }
        return chain
    }

    /// The private key in it.
    func key() throws(SocketError) -> PrivateKey {
        let key = withReader { reader in
            // Without this, a locked key would ask for its password on the terminal.
            PEM_read_bio_PrivateKey(reader, nil, { _, _, _, _ in -1 }, nil)
        }
        ERR_clear_error()
        guard let key else { throw .cannotSecure(file: path, reason: whyNoKey) }
        return PrivateKey(key)
    }

    private func withReader<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        ERR_clear_error()
        return bytes.withUnsafeBytes { bytes in
            let reader = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(reader) }
            return body(reader)
        }
    }

    private var text: String { String(decoding: bytes, as: UTF8.self) }

    private var whyNoCertificate: String {
        if bytes.isEmpty { return "it is empty. Get the certificate anew." }
        // What DER begins with: a sequence whose length has two bytes (X.690 §8.1.3).
        if bytes.starts(with: [0x30, 0x82]) {
            return "it is DER, not PEM. Convert it: openssl x509 -inform der -in \(path) -out \(path).pem"
        }
        if text.contains("PRIVATE KEY-----") {
            return "it holds a private key and no certificate. Perhaps the two files are interchanged."
        }
        if text.contains("-----BEGIN CERTIFICATE-----") { return "its certificate is damaged. Get it anew." }
        return "it holds no certificate. It should have a line -----BEGIN CERTIFICATE-----."
    }

    private var whyNoKey: String {
        if bytes.isEmpty { return "it is empty. It should hold the private key." }
        if text.contains("ENCRYPTED") {
            return "the key is locked by a password. Unlock it: openssl pkey -in \(path) -out \(path).open"
        }
        if text.contains("PRIVATE KEY-----") { return "its key is damaged, or of a kind that can't be read." }
        if text.contains("-----BEGIN CERTIFICATE-----") {
            return "it holds a certificate and no private key. Perhaps the two files are interchanged."
        }
        if bytes.starts(with: [0x30, 0x82]) {
            return "it is DER, not PEM. Convert it: openssl pkey -inform der -in \(path) -out \(path).pem"
        }
        return "it holds no private key. It should have a line -----BEGIN PRIVATE KEY-----."
    }

    private static func advice(_ error: Int32) -> String {
        let reason = String(cString: strerror(error)).lowercased()
        switch error {
        case EACCES, EPERM: return "\(reason). Let the user that the server runs as read it."
        default: return "\(reason). Check the name."
        }
    }

    /// PEM_R_NO_START_LINE: nothing more came.
    private static func isEnd(_ error: UInt) -> Bool {
        error == 0 || ERR_GET_REASON(error) == PEM_R_NO_START_LINE
    }

    static func text(of error: UInt) -> String {
        ERR_reason_error_string(error).map { String(cString: $0) } ?? "OpenSSL gave no reason"
    }
}

/// A private key; owns OpenSSL's `EVP_PKEY`.
final class PrivateKey: @unchecked Sendable {
    let key: OpaquePointer

    /// Takes a key over.
    init(_ key: OpaquePointer) { self.key = key }

    deinit { EVP_PKEY_free(key) }
}
