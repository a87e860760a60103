import KeyedLists
import WebSockets

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Who may do what with the lists of a server.
public enum Access: Hashable, Sendable {
    /// Whoever reaches the server may read and refresh every list, and act on its rows. Pushes are a matter of `pushToken`.
    case open
    /// Whoever shows one of these tokens may do what that allows.
    ///
    /// `anonymous` is what others may do: nothing, unless it is said.
    case tokens([AccessToken], anonymous: AccessRights = [:])
}

/// A right to a list.
public enum AccessRight: String, CaseIterable, Hashable, Sendable {
    /// See its rows, as they are and as they change.
    case read
    /// Have it refreshed, load its next page, and stop a run.
    case refresh
    /// Use its actions on its rows.
    case act
    /// Change its rows from outside, where the list takes pushes.
    case push
}

/// The rights of a client, list by list.
///
/// ```swift
/// let rights: AccessRights = ["*": [.read], "board": [.read, .push], "salaries": []]
/// ```
/// What is said of a list by its name counts, and nothing else; `*` is said of all others. Nobody finds out about a list
/// of which nothing is allowed.
public struct AccessRights: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// By the name of the list, or `*`.
    public var lists: [String: Set<AccessRight>]

    /// Rights by the name of the list, or `*`.
    public init(_ lists: [String: Set<AccessRight>] = [:]) { self.lists = lists }

    /// As above. Rights to one list that are given twice are joined.
    public init(dictionaryLiteral elements: (String, Set<AccessRight>)...) {
        lists = Dictionary(elements) { $0.union($1) }
    }

    /// What may be done with a list, whether or not there is one of that name.
    public subscript(list: String) -> Set<AccessRight> { lists[list] ?? lists["*"] ?? [] }

    /// Of these, what only reads.
    var reading: AccessRights { AccessRights(lists.mapValues { $0.intersection([.read]) }) }

    /// Whether nothing may be done at all.
    public var isEmpty: Bool { lists.values.allSatisfy(\.isEmpty) }

    /// Whether every current and future list may be read: this is needed to see what concerns all of them.
    var readsAll: Bool { lists["*", default: []].contains(.read) && lists.values.allSatisfy { $0.contains(.read) } }
}

/// A secret that lets whoever shows it do something with lists: `Authorization: Bearer SECRET`, the `token` of a `hello`,
/// or what a browser was given when somebody signed in.
///
/// ```swift
/// AccessToken("kitchen", secret: secret, rights: ["fruit": [.read, .refresh]])
/// ```
public struct AccessToken: Hashable, Sendable {
    /// Its name in logs and in messages to its holder. Not secret.
    public var name: String
    /// What its holder may do.
    public var rights: AccessRights
    /// When it expires. Nil: never.
    public var expiresAt: Date?
    let digest: SHA256Digest

    /// A token whose secret is known here. Make it of 16 or more random bytes, as `refreshable token` does.
    public init(_ name: String, secret: String, rights: AccessRights, expiresAt: Date? = nil) {
        self.init(name, digest: SHA256Digest(of: secret), rights: rights, expiresAt: expiresAt)
    }

    /// A token whose secret is only known to its holder.
    ///
    /// `sha256` is of the secret's UTF-8, in 64 hexadecimal digits; nil comes of any other text.
    public init?(_ name: String, sha256: String, rights: AccessRights, expiresAt: Date? = nil) {
        guard let digest = SHA256Digest(hexadecimal: sha256) else { return nil }
        self.init(name, digest: digest, rights: rights, expiresAt: expiresAt)
    }

    /// Whether both have the same secret.
    package func isSame(as other: AccessToken) -> Bool { digest == other.digest }

    private init(_ name: String, digest: SHA256Digest, rights: AccessRights, expiresAt: Date?) {
        self.name = name
        self.rights = rights
        self.expiresAt = expiresAt
        self.digest = digest
    }
}
