#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// By which push services know this server (VAPID, RFC 8292): who subscribes names its public half, and only who has the
/// other half may send.
///
/// Kept in a file for this user alone, or in a database by all servers of it. Without it, no browser that has subscribed can be told anything any more.
public struct ApplicationServerKey: Sendable {
    /// How long a signature is good for, in seconds. RFC 8292 §2 allows a day.
    static let validity: Int64 = 12 * 3600

    private let key: P256Key

    /// A key that is kept nowhere.
    public init() { key = P256Key() }

    init(_ key: P256Key) { self.key = key }

    /// A key that something else than a file keeps.
    ///
    /// - Parameter place: what keeps it, for the error.
    /// - Throws: ``WebPushError/noKey(path:)``.
    public init(pem: [UInt8], of place: String) throws(WebPushError) {
        guard let key = P256Key(pem: pem) else { throw .noKey(path: place) }
        self.key = key
    }

    /// Its private half, too, as it is kept: PEM. Secret.
    public var pem: [UInt8] { key.pem }

    /// Reads the key of a file, or makes one and the file.
    ///
    /// - Throws: ``WebPushError`` where the file can't be read or written, or holds no key on P-256.
    public init(file path: String) throws(WebPushError) {
        if let known = try Self.read(path) {
            guard let key = P256Key(pem: known) else { throw .noKey(path: path) }
            self.key = key
        } else {
            key = P256Key()
            try Self.write(key.pem, to: path)
        }
    }

    /// What browsers are to know, as Base64URL.
    public var publicKey: String { Base64URL.text(key.publicKey) }

    /// The header `Authorization` for a push service (RFC 8292 §3).
    ///
    /// - Parameters:
    ///   - service: the push service's origin, as in `https://push.example.net`.
    ///   - contact: where its owner finds us, a URL of `https:` or `mailto:`.
    ///   - now: seconds since 1970.
    func authorization(for service: String, contact: String, now: Int64) -> String {
        let header = Base64URL.text(#"{"typ":"JWT","alg":"ES256"}"#.utf8)
        let claims = #"{"aud":"\#(service)","exp":\#(now + Self.validity),"sub":"\#(contact)"}"#
        let signed = "\(header).\(Base64URL.text(claims.utf8))"
        let signature = Base64URL.text(key.signature(of: Array(signed.utf8)))
        return "vapid t=\(signed).\(signature), k=\(publicKey)"
    }

    /// Nil where there is no such file.
    private static func read(_ path: String) throws(WebPushError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw WebPushError(path: path, errno)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw WebPushError(path: path, errno) }
        return Array(bytes[..<count])
    }

    /// Whole or not at all: a half that a loss of power leaves behind would be no key.
    private static func write(_ bytes: [UInt8], to path: String) throws(WebPushError) {
        let draft = path + ".new"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw WebPushError(path: draft, errno) }
        let isKept = fchmod(file, 0o600) == 0 && pwrite(file, bytes, bytes.count, 0) == bytes.count && fsync(file) == 0
        let fault = errno
        close(file)
        guard isKept else { throw WebPushError(path: draft, fault) }
        guard rename(draft, path) == 0 else { throw WebPushError(path: path, errno) }
    }
}

/// Why there is no key, or no subscription.
public enum WebPushError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file of keys can't be read or written.
    case cannotUse(path: String, reason: String)
    /// A file holds no key.
    case noKey(path: String)
    /// What a browser sent is no subscription; the text says which member, and what it is to be.
    case badSubscription(String)
    /// An endpoint is of no push service that messages may be sent to.
    case unknownService(String)

    init(path: String, _ number: Int32) {
        self = .cannotUse(path: path, reason: String(cString: strerror(number)))
    }

    /// What was tried, what happened and what to do.
    public var description: String {
        switch self {
        case .cannotUse(let path, let reason):
            "Cannot use the key for notifications in \(path): \(reason). Make it usable for this user."
        case .noKey(let path):
            "Cannot read the key for notifications in \(path): it holds no private key on P-256 in PEM. Restore it from a "
                + "backup, or move it away: then who has asked for notifications has to ask again."
        case .badSubscription(let reason): "This is no subscription of a browser: \(reason)"
        case .unknownService(let host):
            "Notifications may not be sent to \(host): it is none of the push services that this server was given."
        }
    }
}
