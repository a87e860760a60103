import WebSockets

/// A secret that lets whoever shows it do something with lists: `Authorization: Bearer SECRET`, the `token` of a `hello`,
/// or what a browser was given when somebody signed in.
///
/// ```swift
/// AccessToken("kitchen", secret: secret, rights: ["fruit": [.read, .refresh]])
/// ```
public struct AccessToken: Hashable, Sendable {
    /// What people call it: in logs, and where its holder is told what it does not allow. No secret.
    public var name: String
    /// What its holder may do.
    public var rights: AccessRights
    /// Milliseconds since 1970, from which on it is worth nothing. Nil: never.
    public var expiresAt: Int64?
    let digest: SHA256Digest

    /// A token whose secret is known here. Make it of 16 or more random bytes, as `refreshable token` does.
    public init(_ name: String, secret: String, rights: AccessRights, expiresAt: Int64? = nil) {
        self.init(name, digest: SHA256Digest(of: secret), rights: rights, expiresAt: expiresAt)
    }

    /// A token whose secret is only known to its holder.
    ///
    /// `sha256` is of the secret's UTF-8, in 64 hexadecimal digits; nil comes of any other text.
    public init?(_ name: String, sha256: String, rights: AccessRights, expiresAt: Int64? = nil) {
        guard let digest = SHA256Digest(hexadecimal: sha256) else { return nil }
        self.init(name, digest: digest, rights: rights, expiresAt: expiresAt)
    }

    /// Whether both have the same secret.
    package func isSame(as other: AccessToken) -> Bool { digest == other.digest }

    private init(_ name: String, digest: SHA256Digest, rights: AccessRights, expiresAt: Int64?) {
        self.name = name
        self.rights = rights
        self.expiresAt = expiresAt
        self.digest = digest
    }
}
