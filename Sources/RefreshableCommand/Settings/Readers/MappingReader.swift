import ListProtocol
import Yams

/// Reads the members of one mapping of a settings file by their names, and reports what is wrong with them.
struct MappingReader {
    let node: Node
    /// Stands before the names of members in faults: `pull.`, or nothing.
    private let path: String
    private let owner: String
    private let keys: [String]
    private let faults: FaultCollector
    private let members: [(name: String, key: Node, value: Node)]

    /// Nil, and a fault, if the node is no mapping.
    ///
    /// - Parameters:
    ///   - owner: what the mapping is, in faults: `expected a key of OWNER`.
    ///   - keys: the names that may be in it.
    init?(_ node: Node, path: String, of owner: String, keys: [String], _ faults: FaultCollector) {
        faults.know(keys, at: path.isEmpty ? owner : path)
        guard let mapping = node.mapping else {
            faults.add(
                at: node, path.isEmpty ? "lists" : path, expected: "a mapping with \(keys.joined(separator: ", "))",
                came: node.summary)
            return nil
        }
        self.node = node
        self.path = path.isEmpty ? "" : "\(path)."
        self.owner = owner
        self.keys = keys
        self.faults = faults
        members = mapping.map { ($0.key.scalar?.string ?? $0.key.summary, $0.key, $0.value) }
    }

    /// The value of a member; nil if it is not there.
    subscript(name: String) -> Node? {
        members.first { $0.name == name }?.value
    }

    /// Where the name of a member stands.
    func key(_ name: String) -> Node? {
        members.first { $0.name == name }?.key
    }

    /// Whether a name is in it that may not be.
    var hasUnknownKey: Bool {
        members.contains { !keys.contains($0.name) }
    }

    /// Whether a name is in it that may not be and is near to one of these.
    func hasUnknownKey(near words: [String]) -> Bool {
        members.contains { !keys.contains($0.name) && Spelling.nearest(to: $0.name, in: words) != nil }
    }

    /// Adds a fault for each member that may not be here.
    func reportUnknownKeys() {
        for member in members where !keys.contains(member.name) {
            faults.add(
                at: member.key, path + member.name, expected: "a key of \(owner)", came: "\"\(member.name)\"",
                hint: .nearest(to: member.name, in: keys))
        }
    }

    /// Adds a fault about a member's value.
    func fault(_ name: String, expected: String, came: String? = nil, hint: SettingsFault.Hint? = nil) {
        faults.add(
            at: self[name] ?? node, path + name, expected: expected, came: came ?? self[name]?.summary ?? "nothing",
            hint: hint)
    }
}

extension MappingReader {
    /// A member that is any text. Numbers and the like are taken as they are written.
    func text(_ name: String) -> String? {
        guard let value = self[name] else { return nil }
        if let text = value.text { return text }
        fault(name, expected: "a text")
        return nil
    }

    /// A member that is a text, or several in a list.
    func texts(_ name: String) -> [String]? {
        guard let value = self[name] else { return nil }
        let texts = (value.sequence.map(Array.init) ?? [value]).map { $0.text.flatMap { $0.isEmpty ? nil : $0 } }
        if !texts.isEmpty, !texts.contains(nil) { return texts.compactMap(\.self) }
        fault(name, expected: "a text, or a list of texts")
        return nil
    }

    /// A member that is a number.
    func number(_ name: String) -> Double? {
        guard let value = self[name] else { return nil }
        if let text = value.text, let number = Double(text), number.isFinite { return number }
        let digits = value.text.map { $0.prefix { $0.isNumber || $0 == "." } } ?? ""
        fault(name, expected: "a number", hint: Double(digits) == nil ? nil : .word(String(digits)))
        return nil
    }

    /// A member that is `true` or `false`.
    func flag(_ name: String) -> Bool? {
        guard let value = self[name] else { return nil }
        switch value.text {
        case "true": return true
        case "false": return false
        case let other:
            let meant = ["yes": "true", "on": "true", "no": "false", "off": "false"][other?.lowercased() ?? ""]
            let hint = meant ?? other.flatMap { Spelling.nearest(to: $0, in: ["true", "false"]) }
            fault(name, expected: "true or false", hint: hint.map(SettingsFault.Hint.word))
            return nil
        }
    }

    /// A member that is a number of bytes with its unit.
    func size(_ name: String) -> Int? {
        guard let value = self[name] else { return nil }
        let size = value.text.flatMap { ByteText.bytes($0) }
        if size == nil { fault(name, expected: ByteText.expected) }
        return size
    }

    /// A member that is one of the words of an enumeration.
    func word<Word: RawRepresentable & CaseIterable>(_ name: String) -> Word? where Word.RawValue == String {
        guard let value = self[name] else { return nil }
        let words = Word.allCases.map(\.rawValue)
        faults.know(words, at: path + name)
        if let word = value.text.flatMap(Word.init(rawValue:)) { return word }
        let hint = value.text.flatMap { Spelling.nearest(to: $0, in: words) }
        fault(name, expected: words.orList, hint: hint.map(SettingsFault.Hint.word))
        return nil
    }

    /// A member that is a duration.
    ///
    /// - Parameter examples: what a fault names.
    func duration(_ name: String, such examples: String) -> Duration? {
        guard let text = self[name].map({ $0.text ?? "" }) else { return nil }
        if let duration = DurationText.duration(text), duration > .zero { return duration }
        let hint = DurationText.guess(text).map(SettingsFault.Hint.word)
        fault(name, expected: "a duration above zero such as \(examples)", hint: hint)
        return nil
    }

    /// A member that is a duration, or `none`.
    func period(_ name: String) -> ListSettings.Period {
        guard let value = self[name] else { return .unset }
        let text = value.text ?? ""
        if text == "none" { return .none }
        if let duration = DurationText.duration(text), duration > .zero { return .of(duration) }
        let hint = DurationText.guess(text).map(SettingsFault.Hint.word)
        fault(name, expected: "a duration above zero such as 250ms, 30s, 5m or 1h, or none", hint: hint)
        return .unset
    }
}

extension BidirectionalCollection<String> {
    /// `a, b or c`.
    var orList: String { list("or") }

    /// `a, b and c`.
    var andList: String { list("and") }

    private func list(_ word: String) -> String {
        guard let last, count > 1 else { return joined() }
        return "\(dropLast().joined(separator: ", ")) \(word) \(last)"
    }
}

extension Node {
    /// The text of a scalar that is not null.
    var text: String? {
        guard let scalar, !isNull else { return nil }
        return scalar.string
    }

    /// What the node is, in a few words for a person: `"steam"`, `a list`, `nothing`.
    var summary: String {
        switch self {
        case .mapping(let mapping): mapping.isEmpty ? "an empty mapping" : "a mapping"
        case .sequence(let sequence): sequence.isEmpty ? "an empty list" : "a list"
        case .alias: "an alias"
        case .scalar(let scalar):
            if isNull {
                "nothing"
            } else {
                scalar.style == .plain ? scalar.string.quotedUnlessNumber : scalar.string.quoted
            }
        }
    }

    /// A text such as `{name}` that was written without quotes, which makes it a mapping; nil if it is none.
    var unquoted: String? {
        guard let mapping, mapping.count == 1, let member = mapping.first, member.value.isNull else { return nil }
        return member.key.text.map { "{\($0)}" }
    }

    private var isNull: Bool {
        guard let scalar, scalar.style == .plain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }
}

extension String {
    /// In quotes, shortened to one line of at most 60 characters.
    var quoted: String {
        let line = prefix { !$0.isNewline }
        return line.count == count && count <= 60 ? "\"\(self)\"" : "\"\(line.prefix(59))…\""
    }

    fileprivate var quotedUnlessNumber: String { Double(self) == nil ? quoted : self }
}
