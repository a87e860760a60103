import COpenSSL

/// A key pair on the curve P-256, or the public half of one, in OpenSSL. It never changes, so threads may share it.
public final class P256Key: @unchecked Sendable {
    /// Bytes of a public key as a point that is not compressed (SEC 1 §2.3.3): 4, x and y.
    public static let publicLength = 65
    /// Bytes of a signature: r and s.
    static let signatureLength = 64

    private let key: OpaquePointer

    /// A new pair, of OpenSSL's random numbers.
    public convenience init() {
        guard let key = shim_p256_generate() else { preconditionFailure("OpenSSL has no P-256, or no random numbers.") }
        self.init(owning: key)
    }

    /// A public key of its point; nil where that is none of the curve.
    public convenience init?(publicKey: [UInt8]) {
        guard publicKey.count == Self.publicLength, publicKey[0] == 4, let key = shim_p256_key(publicKey, nil) else {
            return nil
        }
        self.init(owning: key)
    }

    /// A pair of its bytes, as the examples of standards have it.
    convenience init?(publicKey: [UInt8], secret: [UInt8]) {
        guard publicKey.count == Self.publicLength, secret.count == 32, let key = shim_p256_key(publicKey, secret)
        else { return nil }
        self.init(owning: key)
    }

    /// The pair in a PEM file's text; nil where there is none on this curve.
    public convenience init?(pem: [UInt8]) {
        let file = BIO_new_mem_buf(pem, Int32(pem.count))
        defer {
            BIO_free(file)
            ERR_clear_error()
        }
        guard let key = PEM_read_bio_PrivateKey(file, nil, nil, nil) else { return nil }
        self.init(owning: key)
        var name = [CChar](repeating: 0, count: 32)
        guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1,
            ["prime256v1", "P-256"].contains(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
        else { return nil }
    }

    private init(owning key: OpaquePointer) { self.key = key }

    deinit { EVP_PKEY_free(key) }

    /// The point, for others.
    public var publicKey: [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = EVP_PKEY_get1_encoded_public_key(key, &bytes)
        defer { CRYPTO_free(bytes, nil, 0) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Both halves as PKCS #8 in PEM. Secret.
    public var pem: [UInt8] {
        let file = BIO_new(BIO_s_mem())
        defer { BIO_free(file) }
        guard PEM_write_bio_PrivateKey(file, key, nil, nil, 0, nil, nil) == 1 else {
            preconditionFailure("A public key alone is not written.")
        }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = BIO_read(file, &bytes, Int32(bytes.count))
        return Array(bytes[..<Int(count)])
    }

    /// What both sides can reckon and nobody else: ECDH. 32 bytes.
    func agreement(with other: P256Key) -> [UInt8] {
        var secret = [UInt8](repeating: 0, count: 32)
        var count = secret.count
        let context = EVP_PKEY_CTX_new(key, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other.key) == 1,
            EVP_PKEY_derive(context, &secret, &count) == 1, count == 32
        else { preconditionFailure("Two keys of one curve agree.") }
        return secret
    }

    /// Signs by ECDSA with SHA-256, as ES256 has it (RFC 7518 §3.4): r and s, 32 bytes each.
    func signature(of message: [UInt8]) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var encoded = [UInt8](repeating: 0, count: 80)
        var count = encoded.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &encoded, &count, message, message.count) == 1
        else { preconditionFailure("A public key alone does not sign.") }
        // OpenSSL writes both numbers in DER.
        return encoded.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            let numbers = d2i_ECDSA_SIG(nil, &start, count)
            defer { ECDSA_SIG_free(numbers) }
            var plain = [UInt8](repeating: 0, count: Self.signatureLength)
            plain.withUnsafeMutableBufferPointer { plain in
                _ = BN_bn2binpad(ECDSA_SIG_get0_r(numbers), plain.baseAddress, 32)
                _ = BN_bn2binpad(ECDSA_SIG_get0_s(numbers), plain.baseAddress! + 32, 32)
            }
            return plain
        }
    }
}
