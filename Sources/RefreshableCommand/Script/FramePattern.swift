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
