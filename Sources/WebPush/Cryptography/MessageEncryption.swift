import COpenSSL

/// Encrypts a message for one browser: `aes128gcm` (RFC 8188) with keys agreed upon as RFC 8291 has it. No push service can
/// read it.
///
/// ```
/// browser's point ┐                       ┌ salt, 16 random bytes
/// our new secret  ┴ ECDH ─ HKDF(auth) ─ HKDF ─ key, nonce ─ AES-128-GCM ─▶ salt · 4096 · our point · one record
/// ```
enum MessageEncryption {
    /// Bytes of the largest message, so that its body has no more than the 4096 that each push service takes (RFC 8030 §7.2).
    static let limit = recordSize - headerLength - 1 - Int(shim_TAG_LENGTH)

    private static let recordSize = 4096
    /// Salt, size of a record, length of the key's name, and the name, which is our public key (RFC 8188 §2.1).
    private static let headerLength = 16 + 4 + 1 + P256Key.publicLength

    /// The body of a request to a push service.
    ///
    /// - Parameters:
    ///   - key, salt: used for this message and no other; given by tests alone.
    static func encrypt(
        _ message: [UInt8], for browser: PushSubscription.Keys, with key: P256Key = P256Key(),
        salt: [UInt8] = randomBytes(16)
    ) -> [UInt8] {
        precondition(message.count <= limit, "A message is cut before it is encrypted.")
        let ours = key.publicKey
        // RFC 8291 §3.3, then RFC 8188 §2.2 and §2.3.
        let agreed = derive(
            32, from: key.agreement(with: browser.publicKey), salt: browser.secret,
            info: Array("WebPush: info\0".utf8) + browser.publicKey.publicKey + ours)
        let contentKey = derive(16, from: agreed, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8))
        let nonce = derive(12, from: agreed, salt: salt, info: Array("Content-Encoding: nonce\0".utf8))
        let size = (0..<4).map { UInt8(truncatingIfNeeded: recordSize >> (24 - 8 * $0)) }
        // 2: the last record, and the end of what is to be read in it.
        return salt + size + [UInt8(ours.count)] + ours + seal(message + [2], key: contentKey, nonce: nonce)
    }

    /// HKDF with SHA-256 (RFC 5869), by EVP_PKEY_HKDF.
    private static func derive(_ count: Int, from secret: [UInt8], salt: [UInt8], info: [UInt8]) -> [UInt8] {
        var derived = [UInt8](repeating: 0, count: count)
        var length = count
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1,
            EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)) == 1,
            EVP_PKEY_CTX_set1_hkdf_key(context, secret, Int32(secret.count)) == 1,
            EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1,
            EVP_PKEY_derive(context, &derived, &length) == 1, length == count
        else { preconditionFailure("OpenSSL has no HKDF with SHA-256.") }
        return derived
    }

    /// The ciphertext and its tag.
    private static func seal(_ message: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: message.count)
        var tag = [UInt8](repeating: 0, count: Int(shim_TAG_LENGTH))
        var count: Int32 = 0
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1,
            EVP_EncryptUpdate(context, &sealed, &count, message, Int32(message.count)) == 1, count == message.count,
            EVP_EncryptFinal_ex(context, nil, &count) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, shim_TAG_LENGTH, &tag) == 1
        else { preconditionFailure("OpenSSL has no AES-128-GCM.") }
        return sealed + tag
    }

    static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else { preconditionFailure("OpenSSL has no random numbers.") }
        return bytes
    }
}
