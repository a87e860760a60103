#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Somebody whom another server has authenticated, and what they may do: by its own login, not by a token of ours.
///
/// ```swift
/// AccessIdentity("ada", rights: ["board": [.read, .refresh]])
/// ```
/// It holds for the one request or session that it is given with. A session that should end before `expiresAt`, because its
/// user has signed out or lost a right, is for that server to end.
public struct AccessIdentity: Hashable, Sendable {
    /// The user's name: in messages to them, and what is kept for them, such as which rows they have seen. Not secret. Whoever
    /// shows a token of this name is the same user.
    public var name: String
    /// What they may do.
    public var rights: AccessRights
    /// When their session ends (4201). Nil: not by itself.
    public var expiresAt: Date?

    /// A user of this name.
    public init(_ name: String, rights: AccessRights, expiresAt: Date? = nil) {
        self.name = name
        self.rights = rights
        self.expiresAt = expiresAt
    }
}
