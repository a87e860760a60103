import KeyedLists

/// A row as text for people: what the page would show of it.
struct ShownRow: Equatable {
    var title: String
    /// Subtitle and detail.
    var middle: String
    /// Badge and age.
    var end: String

    /// - Parameter now: milliseconds since 1970.
    init(_ key: Key, _ fields: Fields, now: Int64) {
        let members = fields.members
        let text = { (name: Key) in Self.text(members[name]) }
        title = text("title") ?? key.string.clean
        middle = [text("subtitle"), text("detail")].compactMap(\.self).joined(separator: " · ")
        let age = Self.milliseconds(members["time"]).map { Age.text(of: $0, now: now) }
        end = [text("badge"), age].compactMap(\.self).joined(separator: " · ")
    }

    /// The whole row in one line, as a file has it.
    var line: String { [title, middle, end].filter { !$0.isEmpty }.joined(separator: "\t") }

    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text.clean
        case .number, .bool: value.map { String(decoding: $0.canonical, as: UTF8.self) }
        default: nil
        }
    }

    private static func milliseconds(_ value: JSONValue?) -> Int64? {
        guard case .number(let number)? = value, number.magnitude < 8.64e15 else { return nil }
        return Int64(number)
    }
}

extension String {
    /// For one line of what is drawn.
    var clean: String { TerminalText.blank(self) }
}
