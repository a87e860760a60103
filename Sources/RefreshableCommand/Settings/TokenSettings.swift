import KeyedLists
import ListProtocol
import ListSources
import RefreshableLists
import WebSockets
import Yams

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The content of a tokens file: tokens and their rights. `refreshable token` creates its entries.
///
/// ```yaml
/// - name: kitchen
///   sha256: 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
///   lists: {fruit: [read, refresh], "*": [read]}
///   expires: 2027-01-31
/// - name: everybody
///   anonymous: true
///   lists: {news: [read]}
/// ```
/// Every value was checked. A text goes in, tokens or faults come out.
struct TokenSettings: Hashable {
    let access: Access
    /// Values of the environment that stand in it.
    let secrets: Secrets

    init(
        reading text: String, file: String, environment: [String: String] = [:],
        faults: FaultCollector = FaultCollector()
    ) throws(SettingsFaults) {
        let root = Self.compose(text, faults).map(Variables(environment: environment, faults: faults).filled)
        access = Self.access(root?.sequence.map(Array.init) ?? [], faults)
        secrets = faults.secrets
        try faults.check(file: file)
    }

    /// - Throws: `TextFile.Unreadable`, `SettingsFaults`.
    init(file: String) throws {
        try self.init(reading: try TextFile.read(file), file: file, environment: EnvironmentVariables.every)
    }

    /// How many there are.
    var summary: String {
        guard case .tokens(let tokens, _) = access else { return "no tokens" }
        return tokens.count == 1 ? "1 token" : "\(tokens.count) tokens"
    }

    private static let rule = "tokens, each beginning with \"- name:\""

    /// Nil if it is missing or has a fault. An empty file allows no token.
    private static func compose(_ text: String, _ faults: FaultCollector) -> Node? {
        do {
            guard let node = try Yams.compose(yaml: text), node.summary != "nothing" else { return nil }
            if node.sequence != nil { return node }
            faults.add(at: node, "tokens", expected: rule, came: node.summary)
        } catch {
            faults.add(YAMLProblem(error, in: text))
        }
        return nil
    }

    private static func access(_ nodes: [Node], _ faults: FaultCollector) -> Access {
        var names = NameRegister()
        var tokens: [AccessToken] = []
        var anonymous: AccessRights?
        for node in nodes {
            switch TokenReader(node, faults)?.read(&names) {
            case .token(let token) where tokens.contains { $0.isSame(as: token) }:
                faults.add(at: node, "token", expected: "another secret than those above", came: "one of theirs")
            case .token(let token): tokens.append(token)
            case .anonymous where anonymous != nil:
                faults.add(at: node, "token.anonymous", expected: "one entry at most", came: "another")
            case .anonymous(let rights): anonymous = rights
            case nil: break
            }
        }
        return .tokens(tokens, anonymous: anonymous ?? [:])
    }
}

/// An entry of a file of tokens, as it is written: what `TokenReader` reads.
struct TokenEntry {
    var name: String
    /// Lists, or `*`. Where all four are empty, every list may be read and refreshed.
    var read: [String] = []
    var refresh: [String] = []
    var act: [String] = []
    var push: [String] = []
    var expires: String?

    /// Lists and texts are written as YAML reads any text: in quotes.
    func text(secret: String) -> String {
        var lines = ["- name: \(quoted(name))", "  sha256: \(SHA256Digest(of: secret).hexadecimal)"]
        if let expires { lines.append("  expires: \(quoted(expires))") }
        lines.append("  lists:")
        for (list, rights) in rights {
            lines.append("    \(quoted(list)): [\(rights.map(\.rawValue).joined(separator: ", "))]")
        }
        return lines.joined(separator: "\n")
    }

    private var rights: [(list: String, rights: [AccessRight])] {
        let said: [(AccessRight, [String])] = [(.read, read), (.refresh, refresh), (.act, act), (.push, push)]
        let names = Set(said.flatMap(\.1))
        guard !names.isEmpty else { return [("*", [.read, .refresh])] }
        // What is said of all lists is meant of those, too, of which more is said.
        return names.sorted().map { name in
            (name, said.filter { $0.1.contains(name) || $0.1.contains("*") }.map(\.0))
        }
    }

    private func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

/// Reads one entry of a file of tokens.
struct TokenReader {
    enum Entry {
        case token(AccessToken)
        /// What those may who show none.
        case anonymous(AccessRights)
    }

    private let reader: MappingReader
    private let faults: FaultCollector

    /// Nil, and a fault, if the node is no mapping.
    init?(_ node: Node, _ faults: FaultCollector) {
        let keys = ["name", "sha256", "token", "anonymous", "lists", "expires"]
        guard let reader = MappingReader(node, path: "token", of: "a token", keys: keys, faults) else { return nil }
        self.reader = reader
        self.faults = faults
    }

    /// Nil where it has a fault.
    func read(_ names: inout NameRegister) -> Entry? {
        reader.reportUnknownKeys()
        let name = name(&names)
        let rights = rights()
        let expiry = expiry()
        switch ["sha256", "token", "anonymous"].filter({ reader[$0] != nil }) {
        case ["anonymous"]:
            return anonymous(rights)
        case ["sha256"]: return digested(name, rights, expiry).map(Entry.token)
        case ["token"]: return secret().map { .token(AccessToken(name, secret: $0, rights: rights, expiresAt: expiry)) }
        case let several:
            faults.add(
                at: reader.node, "token", expected: "one of sha256, token and anonymous",
                came: several.isEmpty ? "none" : several.andList)
            return nil
        }
    }

    private func anonymous(_ rights: AccessRights) -> Entry? {
        guard let isTrue = reader.flag("anonymous") else { return nil }
        if !isTrue { reader.fault("anonymous", expected: "true, or sha256 or token in its place") }
        if reader["expires"] != nil { reader.fault("expires", expected: "an end for tokens alone") }
        return .anonymous(rights)
    }

    private func name(_ names: inout NameRegister) -> String {
        guard let name = reader.text("name") else {
            if reader["name"] == nil { reader.fault("name", expected: ListName.rule) }
            return ""
        }
        guard ListName.isValid(name) else {
            reader.fault("name", expected: ListName.rule, hint: ListName.nearest(name).map(SettingsFault.Hint.word))
            return name
        }
        if let line = names.take(name, line: reader["name"]?.mark?.line ?? 0) {
            reader.fault("name", expected: "a name of its own", came: "that of the token in line \(line)")
        }
        return name
    }

    private func digested(_ name: String, _ rights: AccessRights, _ expiry: Date?) -> AccessToken? {
        guard let text = reader.text("sha256") else { return nil }
        if let token = AccessToken(name, sha256: text, rights: rights, expiresAt: expiry) { return token }
        reader.fault("sha256", expected: "64 hexadecimal digits, as `refreshable token` prints them")
        return nil
    }

    private func secret() -> String? {
        guard let text = reader.text("token") else { return nil }
        if SecretText.isValid(text) { return text }
        reader.fault("token", expected: SecretText.rule, came: SecretText.hidden(text).quoted)
        return nil
    }

    private func expiry() -> Date? {
        guard let text = reader.text("expires") else { return nil }
        if text.contains("-"), let time = Timestamp.milliseconds(text) { return Date(milliseconds: time) }
        reader.fault("expires", expected: "a day or a time such as 2027-01-31 or 2027-01-31T18:00:00Z")
        return nil
    }

    private func rights() -> AccessRights {
        guard let node = reader["lists"] else {
            reader.fault("lists", expected: "lists and what may be done with them, such as {\"*\": [read]}")
            return [:]
        }
        guard let mapping = node.mapping else {
            reader.fault("lists", expected: "lists and what may be done with them, such as {\"*\": [read]}")
            return [:]
        }
        var lists: [String: Set<AccessRight>] = [:]
        for (key, value) in mapping {
            let name = key.text ?? key.summary
            if name != "*", !ListName.isValid(name) {
                faults.add(at: key, "token.lists", expected: "the name of a list, or \"*\"", came: name.quoted)
            }
            lists[name] = rights(value, of: name)
        }
        return AccessRights(lists)
    }

    private func rights(_ node: Node, of list: String) -> Set<AccessRight> {
        let words = AccessRight.allCases.map(\.rawValue)
        var rights: Set<AccessRight> = []
        for node in node.sequence.map(Array.init) ?? [node] {
            guard let right = node.text.flatMap(AccessRight.init(rawValue:)) else {
                let hint = node.text.flatMap { Spelling.nearest(to: $0, in: words) }
                faults.add(
                    at: node, "token.lists.\(list)", expected: "some of \(words.andList), or []", came: node.summary,
                    hint: hint.map(SettingsFault.Hint.word))
                continue
            }
            if right == .push, reader["anonymous"] != nil {
                faults.add(
                    at: node, "token.lists.\(list)", expected: "read, refresh and act alone for those without a token",
                    came: node.summary)
            }
            rights.insert(right)
        }
        return rights
    }
}
