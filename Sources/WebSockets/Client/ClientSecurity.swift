import CLibwebsockets
import Locking

/// TLS of one connection that a client makes: what goes out is encrypted into memory, and what came is decrypted from there, so
/// that the network's side is that of any connection (SSL_set_bio(3), BIO_s_mem(3)). Owns its SSL. On its loop's thread only.
///
/// ```
/// write ──▶ SSL_write ──▶ outgoing ──▶ network
/// take  ◀── SSL_read  ◀── incoming ◀── network
/// ```
final class ClientSecurity {
    /// Why there is no encrypted connection, or no longer.
    struct Failure: Error {
        let reason: String
    }

    private let handshake: OpaquePointer
    /// Owned by `handshake`.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private let trust: ServerTrust
    /// Whether the handshake is done.
    private(set) var isReady = false
    /// The peer has said that it sends no more.
    private(set) var hasEnded = false

    /// - Parameter host: a name or a numeric address, without brackets: what the certificate must be for.
    init(_ trust: ServerTrust, host: String) throws(Failure) {
        guard let handshake = ClientSecurityContexts.handshake(for: trust), let incoming = BIO_new(BIO_s_mem()),
            let outgoing = BIO_new(BIO_s_mem())
        else { throw Failure(reason: "TLS could not be set up") }
        self.handshake = handshake
        self.incoming = incoming
        self.outgoing = outgoing
        self.trust = trust
        SSL_set_bio(handshake, incoming, outgoing)
        SSL_set_connect_state(handshake)
        let isAddress = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(handshake), host) == 1
        if !isAddress {
            X509_VERIFY_PARAM_set1_host(SSL_get0_param(handshake), host, host.utf8.count)
            _ = shim_set_server_name(handshake, host)
        }
        ERR_clear_error()
    }

    deinit { SSL_free(handshake) }

    /// Goes on with the handshake, with what has come.
    func proceed() throws(Failure) {
        guard !isReady else { return }
        ERR_clear_error()
        let status = SSL_do_handshake(handshake)
        isReady = status == 1
        guard !isReady, ![SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE].contains(SSL_get_error(handshake, status)) else {
            return
        }
        throw Failure(reason: doubt ?? "no TLS could be agreed on; perhaps it is spoken without, as http or ws")
    }

    /// Takes bytes that came from the network.
    func take(_ bytes: UnsafeRawBufferPointer) { BIO_write(incoming, bytes.baseAddress, Int32(bytes.count)) }

    /// What was in them; empty: more must come.
    func decrypted() throws(Failure) -> [UInt8] {
        var plain: [UInt8] = []
        while true {
            ERR_clear_error()
            var status: Int32 = 0
            let part = [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
                status = SSL_read(handshake, buffer.baseAddress, Int32(buffer.count))
                count = Int(max(0, status))
            }
            plain += part
            guard status <= 0 else { continue }
            switch SSL_get_error(handshake, status) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return plain
            case SSL_ERROR_ZERO_RETURN:
                hasEnded = true
                return plain
            default: throw Failure(reason: "TLS broke")
            }
        }
    }

    /// Encrypts bytes; they are among those that `toSend` gives. Once it is ready.
    func encrypt(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        return bytes.withUnsafeBytes { SSL_write(handshake, $0.baseAddress, Int32($0.count)) > 0 }
    }

    /// Says to the peer that nothing more follows; part of what `toSend` gives.
    func end() {
        SSL_shutdown(handshake)
        ERR_clear_error()
    }

    /// What is to go over the network now.
    func toSend() -> [UInt8] {
        let count = BIO_ctrl_pending(outgoing)
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = Int(max(0, BIO_read(outgoing, buffer.baseAddress, Int32(count))))
        }
    }

    /// Why the certificate was not believed; nil: it was, or there was none.
    private var doubt: String? {
        let result = SSL_get_verify_result(handshake)
        guard trust.isChecked, result != X509_V_OK else { return nil }
        let reason = String(cString: X509_verify_cert_error_string(result))
        return "its certificate is not trusted: \(reason). \(trust.hint)"
    }
}

/// One SSL_CTX for each trust, shared by all connections: with the system's authorities it is a megabyte. From any thread.
private enum ClientSecurityContexts {
    /// A trust, and what stood in its file then: a file may change.
    private struct Key: Hashable {
        var trust: ServerTrust
        var authorities: [UInt8]
    }

    private struct Contexts: @unchecked Sendable {
        var byKey: [Key: OpaquePointer] = [:]
    }

    private static let contexts = Locked(Contexts())
    /// More than a program has in use.
    private static let most = 16

    /// A new SSL, which holds its context; nil: OpenSSL makes none.
    static func handshake(for trust: ServerTrust) -> OpaquePointer? {
        // A file that can't be read trusts nobody.
        let bytes = trust.authorities.map { file in (try? PEMFile(file))?.bytes ?? [] } ?? []
        let key = Key(trust: trust, authorities: bytes)
        return contexts.withLock { contexts in
            if contexts.byKey[key] == nil, contexts.byKey.count >= most {
                for context in contexts.byKey.values { SSL_CTX_free(context) }
                contexts.byKey = [:]
            }
            let context = contexts.byKey[key] ?? make(trust)
            contexts.byKey[key] = context
            return context.flatMap { SSL_new($0) }
        }
    }

    private static func make(_ trust: ServerTrust) -> OpaquePointer? {
        guard let context = SSL_CTX_new(TLS_client_method()) else { return nil }
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        if let authorities = trust.authorities {
            SSL_CTX_load_verify_locations(context, authorities, nil)
        } else {
            SSL_CTX_set_default_verify_paths(context)
        }
        SSL_CTX_set_verify(context, trust.isChecked ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
        X509_VERIFY_PARAM_set_hostflags(SSL_CTX_get0_param(context), UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        let protocols = [8] + Array("http/1.1".utf8)
        SSL_CTX_set_alpn_protos(context, protocols, UInt32(protocols.count))
        ERR_clear_error()
        return context
    }
}
