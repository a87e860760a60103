import KeyedLists

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
