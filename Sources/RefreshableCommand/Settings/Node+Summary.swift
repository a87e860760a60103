import Yams

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
