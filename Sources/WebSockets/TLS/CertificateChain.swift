import CLibwebsockets

/// Certificates in their order: the server's own, then those that lead to one that people trust.
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
