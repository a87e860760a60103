import KeyedLists

/// What a frame must look like.
///
/// An object matches any that has its members, whatever else that has; an array one of its length; `"*"` anything;
/// `"$name"` anything the first time, and from then on what it was.
struct FramePattern: Hashable {
    private let root: JSONValue

    init(_ root: JSONValue) {
        self.root = root
    }

    /// Whether a frame matches. New names are captured only if all of it does.
    func matches(_ frame: JSONValue, _ captures: inout Captures) -> Bool {
        var attempt = captures
        guard compare(with: frame, &attempt).allSatisfy(\.isEqual) else { return false }
        captures = attempt
        return true
    }

    /// Every member of the pattern beside that of the frame, in the order of their names but `type` first.
    func comparison(with frame: JSONValue, _ captures: Captures) -> [FrameComparison.Line] {
        var attempt = captures
        return compare(with: frame, &attempt)
    }

    private func compare(with frame: JSONValue, _ captures: inout Captures) -> [FrameComparison.Line] {
        var lines: [FrameComparison.Line] = []
        compare(root, frame, path: "", &captures, &lines)
        return lines
    }

    private func compare(
        _ pattern: JSONValue, _ value: JSONValue?, path: String, _ captures: inout Captures,
        _ lines: inout [FrameComparison.Line]
    ) {
        switch (pattern, value) {
        case (.object(let members), .object(let found)):
            for (name, member) in members.sorted(by: Self.isBefore) {
                compare(member, found[name], path: path.isEmpty ? "\(name)" : "\(path).\(name)", &captures, &lines)
            }
        case (.array(let elements), .array(let found)) where elements.count == found.count:
            for (index, element) in elements.enumerated() {
                compare(element, found[index], path: "\(path)[\(index)]", &captures, &lines)
            }
        default: lines.append(leaf(pattern, value, path: path, &captures))
        }
    }

    private func leaf(
        _ pattern: JSONValue, _ value: JSONValue?, path: String, _ captures: inout Captures
    ) -> FrameComparison.Line {
        var expected = pattern.text
        var isEqual = pattern == value
        if case .string(let text) = pattern {
            if text == "*" {
                expected = "anything"
                isEqual = value != nil
            } else if let name = Captures.name(in: text) {
                expected = captures[name].map { "\($0.text) ($\(name))" } ?? "anything, as $\(name)"
                if captures[name] == nil { captures[name] = value }
                isEqual = value != nil && captures[name] == value
            }
        }
        return FrameComparison.Line(
            path: path.isEmpty ? "frame" : path, expected: expected, received: value?.text ?? "nothing",
            isEqual: isEqual)
    }

    private static func isBefore(_ left: (key: Key, value: JSONValue), _ right: (key: Key, value: JSONValue)) -> Bool {
        if left.key == "type" || right.key == "type" { return left.key == "type" && right.key != "type" }
        return left.key.string < right.key.string
    }
}

extension JSONValue {
    /// As it is written in a frame.
    var text: String { String(decoding: canonical, as: UTF8.self) }
}

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

/// A pattern and a frame, side by side.
///
///       field   expected    received
///       type    "state"     "state"
///     ≠ phase   "closing"   "waiting"
struct FrameComparison: Hashable, CustomStringConvertible {
    /// One member of the pattern.
    struct Line: Hashable {
        let path: String
        let expected: String
        let received: String
        let isEqual: Bool
    }

    let lines: [Line]

    /// The comparison with that of `frames` which differs least, the latest of several; without any, with nothing.
    init(_ pattern: FramePattern, nearestOf frames: [JSONValue], _ captures: Captures) {
        let candidates = frames.reversed().map { pattern.comparison(with: $0, captures) }
        let nearest = candidates.min { Self.differences($0) < Self.differences($1) }
        lines = nearest ?? pattern.comparison(with: .object([:]), captures)
    }

    var description: String {
        let rows =
            [("", "field", "expected", "received")]
            + lines.map { ($0.isEqual ? "" : "≠", $0.path, $0.expected.shortened, $0.received.shortened) }
        let first = rows.map(\.1.count).max() ?? 0
        let second = rows.map(\.2.count).max() ?? 0
        return rows.map { mark, path, expected, received in
            "  \(mark.padded(to: 1)) \(path.padded(to: first))   \(expected.padded(to: second))   \(received)"
        }.joined(separator: "\n")
    }

    private static func differences(_ lines: [Line]) -> Int {
        // Another type is another frame altogether.
        lines.count { !$0.isEqual } + (lines.contains { $0.path == "type" && !$0.isEqual } ? 1000 : 0)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    fileprivate var shortened: String { count <= 60 ? self : prefix(59) + "…" }
}
