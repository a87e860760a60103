import ListProtocol
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
        [["command"], ["command", "run"], ["query"], ["sqlite", "query"]].contains(path)
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
