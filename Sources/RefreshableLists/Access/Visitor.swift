import ListProtocol
import WebSockets

/// Somebody who asks, and what they may do. One object for all who show the same token, so that a connection keeps eight
/// bytes.
final class Visitor: Sendable {
    enum Kind: Hashable {
        /// No tokens are asked for here.
        case anybody
        /// Tokens are asked for, and none was shown.
        case stranger
        /// One was shown, of this name and digest.
        case holder(String, SHA256Digest)
        /// Another server knows them, by this name.
        case identified(String)
    }

    let kind: Kind
    let rights: AccessRights
    /// Milliseconds since 1970; nil: never.
    let expiresAt: Int64?
    /// Whether they ask under a name that is not this machine's own, and so may only read.
    let isOnlooker: Bool

    init(_ kind: Kind, _ rights: AccessRights, expiresAt: Int64? = nil, isOnlooker: Bool = false) {
        self.isOnlooker = isOnlooker
        self.kind = kind
        self.rights = rights
        self.expiresAt = expiresAt
    }

    convenience init(_ token: AccessToken) {
        self.init(.holder(token.name, token.digest), token.rights, expiresAt: token.expiresAt?.milliseconds)
    }

    convenience init(_ identity: AccessIdentity) {
        self.init(.identified(identity.name), identity.rights, expiresAt: identity.expiresAt?.milliseconds)
    }

    static let anybody = Visitor(.anybody, ["*": [.read, .refresh, .act, .push]])

    /// The same, who may only read.
    var onlooker: Visitor { Visitor(kind, rights.reading, isOnlooker: true) }

    func may(_ right: AccessRight, _ list: String) -> Bool { rights[list].contains(right) }

    /// Whether they may know of a list, if there is one of that name.
    func sees(_ list: String) -> Bool { !rights[list].isEmpty }

    /// Whether tokens are asked for, and they have shown none.
    var isStranger: Bool { kind == .stranger }

    /// Of the token that they have shown; nil: none.
    var digest: SHA256Digest? {
        if case .holder(_, let digest) = kind { digest } else { nil }
    }

    /// The name of a person, or of the token that they have shown, which stands for one; nil: none.
    var name: String? {
        switch kind {
        case .holder(let name, _), .identified(let name): name
        case .anybody, .stranger: nil
        }
    }

    /// Whether it is another server that knows them.
    var isIdentified: Bool {
        if case .identified = kind { true } else { false }
    }

    /// Why they may not do something.
    var shortcoming: AccessRefusal { isStranger ? .anonymous : .right }

    /// Whether they have nothing to look for here, unless they show a token.
    var isNobody: Bool { isStranger && rights.isEmpty }

    /// When what another server knows of them ends; of tokens, the authenticator knows.
    var identityExpiry: Int64? { isIdentified ? expiresAt : nil }

    func isExpired(at now: Int64) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

/// The error for lack of a right. For a hidden list it equals the error for one that does not exist.
extension Visitor {
    /// For a list that is not there, or not for them.
    func unknown(_ list: String) -> String {
        isStranger
            ? "Show a token to see whether there is a list \"\(list)\", and to use it."
            : "There is no list \"\(list)\"."
    }

    /// For a list that they may know of.
    func forbidden(_ right: AccessRight, _ list: String) -> String {
        switch kind {
        case _ where isOnlooker && right != .read:
            """
            Under this name, the list "\(list)" is only to be read on this machine. Ask for it by localhost, an address, or \
            a name that the server was given with \(SettingNames[.allowedHosts]).
            """
        case .holder(let name, _): "The token \"\(name)\" does not allow to \(right.rawValue) the list \"\(list)\"."
        case .identified(let name): "\(name) may not \(right.rawValue) the list \"\(list)\"."
        case .anybody, .stranger: "Show a token that allows to \(right.rawValue) the list \"\(list)\"."
        }
    }
}

/// What a watcher may do besides reading, as far as its list's description depends on that.
struct WatchRights: OptionSet, Hashable {
    let rawValue: UInt8

    static let refresh = WatchRights(rawValue: 1)
    static let act = WatchRights(rawValue: 2)
    /// Every combination.
    static let all: [WatchRights] = (0..<4).map(WatchRights.init(rawValue:))
}

extension Visitor {
    /// What they may do with a list.
    func watchRights(to list: String) -> WatchRights {
        var rights: WatchRights = []
        if may(.refresh, list) { rights.insert(.refresh) }
        if may(.act, list) { rights.insert(.act) }
        return rights
    }
}

extension ListDescription {
    /// The description for clients with these rights.
    func offered(to rights: WatchRights) -> ListDescription {
        var description = self
        if !rights.contains(.refresh) { description.refreshable = false }
        if !rights.contains(.act) { description.actions = [] }
        return description
    }
}
