import ListProtocol
import WebSockets
import Yams

/// Puts variables of the environment into the texts of a settings file: `Bearer ${TOKEN}`.
///
/// `${NAME:-text}` is the text where the variable is not set, or empty; `$${` is a plain `${`. What is no name stays as it
/// is, and so does a line for the shell, which has the same variables, and a query, as no value may be read as SQL. Keys
/// are never filled.
struct Variables {
    /// By name.
    let environment: [String: String]
    let faults: FaultCollector

    /// Nodes of one file, with those of aliases counted at each place: a few lines of aliases can mean billions.
    private static let mostNodes = 100_000

    /// The node with its texts filled. A variable that is not set is a fault.
    func filled(_ root: Node) -> Node {
        var room = Self.mostNodes
        return filled(root, [], &room)
    }

    /// - Parameter isElement: whether it stands in a list.
    private func filled(_ node: Node, _ path: [String], isElement: Bool = false, _ room: inout Int) -> Node {
        room -= 1
        guard room > 0 else {
            if room == 0 {
                faults.add(
                    at: node, "lists", expected: "at most \(Self.mostNodes) values, those of aliases counted",
                    came: "more")
            }
            return node
        }
        switch node {
        case .scalar(var scalar):
            guard scalar.string.contains("${"), isElement || !isLanguage(path) else { return node }
            scalar.string = filled(scalar.string, at: node, path.isEmpty ? "lists" : path.joined(separator: "."))
            return .scalar(scalar)
        case .sequence(let sequence):
            let nodes = sequence.map { filled($0, path, isElement: true, &room) }
            return .sequence(Node.Sequence(nodes, sequence.tag, sequence.style, sequence.mark))
        case .mapping(let mapping):
            let pairs = mapping.map { key, value in
                (key, filled(value, path + ((key.text).map { $0 == "lists" ? [] : [$0] } ?? []), &room))
            }
            return .mapping(Node.Mapping(pairs, mapping.tag, mapping.style, mapping.mark))
        case .alias: return node
        }
    }

    /// Whether a text is a program of some kind.
    private func isLanguage(_ path: [String]) -> Bool {
        [["command"], ["command", "run"], ["query"], ["sqlite", "query"], ["postgres", "query"]].contains(path)
    }

    /// The names of the variables that a text asks for.
    static func names(in text: String) -> [String] {
        text.ranges(of: "${").compactMap { Reference(text[$0.upperBound...])?.name }
    }

    private func filled(_ text: String, at node: Node, _ field: String) -> String {
        var filled = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            filled += rest[..<start.lowerBound]
            let after = rest[start.upperBound...]
            if filled.last == "$" {
                filled += "{"
                rest = after
            } else if let reference = Reference(after) {
                filled += value(of: reference, at: node, field)
                rest = after.dropFirst(reference.length)
            } else {
                filled += "${"
                rest = after
            }
        }
        return filled + rest
    }

    private func value(of reference: Reference, at node: Node, _ field: String) -> String {
        let value = environment[reference.name]
        if let standard = reference.standard, value ?? "" == "" { return standard }
        guard let value else {
            let nearest = Spelling.nearest(to: reference.name, in: environment.keys.sorted())
            faults.add(
                at: node, field, expected: "the environment to have the variable \(reference.name)",
                came: "none of that name", hint: nearest.map(SettingsFault.Hint.word))
            return ""
        }
        faults.secrets.note(value, of: reference.name)
        return value
    }
}

/// What stands behind a `${`: `NAME}` or `NAME:-text}`.
private struct Reference {
    let name: String
    let standard: String?
    /// In characters, with the brace that ends it.
    let length: Int

    /// Nil for what is no name.
    init?(_ text: Substring) {
        let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard let first = name.first, !first.isNumber else { return nil }
        self.name = String(name)
        var rest = text.dropFirst(name.count)
        if rest.hasPrefix(":-") {
            let standard = rest.dropFirst(2).prefix { $0 != "}" }
            self.standard = String(standard)
            rest = rest.dropFirst(2 + standard.count)
        } else {
            standard = nil
        }
        guard rest.first == "}" else { return nil }
        length = text.count - rest.count + 1
    }
}

/// Values from the environment: logs, faults and errors show their names instead.
struct Secrets: Hashable {
    private struct Secret: Hashable {
        let value: String
        let name: String
    }

    /// Shorter values are no secrets, and hiding them would make texts unreadable. In characters.
    private static let shortest = 4

    /// The longest first, so that one which holds another is hidden whole.
    private var secrets: [Secret] = []

    /// Hides this value from now on.
    mutating func note(_ value: String, of name: String) {
        let lines = value.split(whereSeparator: \.isNewline).map(String.init)
        for form in Set([value, PercentEncoding.component(value)] + lines) {
            let secret = Secret(value: form, name: name)
            guard form.count >= Self.shortest, !secrets.contains(secret) else { continue }
            let place = secrets.firstIndex { $0.value.utf8.count < form.utf8.count } ?? secrets.endIndex
            secrets.insert(secret, at: place)
        }
    }

    /// Hides what another hides, too.
    mutating func formUnion(_ other: Secrets) {
        for secret in other.secrets { note(secret.value, of: secret.name) }
    }

    /// The text with `${NAME}` where a value stood.
    @Sendable func hiding(_ text: String) -> String {
        secrets.reduce(text) { text, secret in
            guard text.utf8.count >= secret.value.utf8.count, text.contains(secret.value) else { return text }
            return text.split(separator: secret.value, omittingEmptySubsequences: false)
                .joined(separator: "${\(secret.name)}")
        }
    }
}

/// The secrets that may be shown: they stand in a header (RFC 6750 §2.1), and can't be guessed.
enum SecretText {
    /// What a secret is, for the end of a sentence that starts "expected".
    static let rule = "16 to 512 letters, digits and -._~+/="

    static func isValid(_ text: String) -> Bool {
        16...512 ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x2F, 0x3D, 0x5F, 0x7E: true
                default: false
                }
            }
    }

    /// How a fault shows one.
    static func hidden(_ text: String) -> String { String(repeating: "*", count: min(text.count, 16)) }

    /// A new one, of 32 random bytes (getrandom(2)): 43 letters (RFC 4648 §5), behind what tells people and programs that
    /// look for secrets what it is.
    static func random() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var generator = SystemRandomNumberGenerator()
        let text = (0..<43).map { _ in letters[Int.random(in: 0..<64, using: &generator)] }
        return "rfl_" + String(decoding: text, as: UTF8.self)
    }
}
