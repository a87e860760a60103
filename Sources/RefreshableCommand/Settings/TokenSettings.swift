import RefreshableLists
import Yams

/// What a file of tokens says: who may do what. `refreshable token` makes its entries.
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

    /// Nil, where there is nothing, or a fault. A file that has been emptied lets nobody in.
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
