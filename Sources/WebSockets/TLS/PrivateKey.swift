import CLibwebsockets

/// A private key; owns OpenSSL's `EVP_PKEY`.
final class PrivateKey: @unchecked Sendable {
    let key: OpaquePointer

    /// Takes a key over.
    init(_ key: OpaquePointer) { self.key = key }

    deinit { EVP_PKEY_free(key) }
}
