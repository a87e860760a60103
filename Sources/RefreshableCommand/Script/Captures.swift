import KeyedLists

/// What `"$name"` stood for when a frame first had it.
struct Captures: Hashable {
    /// By name, without the dollar.
    private(set) var values: [String: JSONValue] = [:]

    subscript(name: String) -> JSONValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The name in `"$name"`; nil for any other text.
    static func name(in text: String) -> String? {
        guard text.first == "$", let first = text.dropFirst().first, first.isLetter || first == "_" else { return nil }
        let name = text.dropFirst()
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } ? String(name) : nil
    }

    /// A text to send, with what was captured in the place of each `"$name"`. What holds none is sent as it was typed.
    ///
    /// - Throws: the name that nothing was captured for.
    func filled(into text: String) throws(NothingCaptured) -> String {
        // What is no JSON is sent on purpose, and has no names.
        guard text.contains("\"$"), case .success(let value) = parse(text) else { return text }
        let filled = try fill(value)
        return filled == value ? text : String(decoding: filled.canonical, as: UTF8.self)
    }

    /// A name was used before any frame gave it a value.
    struct NothingCaptured: Error, Hashable {
        let name: String
    }

    private func parse(_ text: String) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in try JSONValue(json: Array(text.utf8)) }
    }

    private func fill(_ value: JSONValue) throws(NothingCaptured) -> JSONValue {
        switch value {
        case .string(let text):
            guard let name = Self.name(in: text) else { return value }
            guard let captured = values[name] else { throw NothingCaptured(name: name) }
            return captured
        case .array(let elements):
            var filled: [JSONValue] = []
            for element in elements { filled.append(try fill(element)) }
            return .array(filled)
        case .object(let members):
            var filled = members
            for (name, member) in members { filled[name] = try fill(member) }
            return .object(filled)
        case .null, .bool, .number: return value
        }
    }
}
