/// Reads the header `Link`: RFC 8288 §3.
///
///     <https://api.example.org/people?page=2>; rel="next", <…>; rel="last"
enum LinkHeader {
    /// The target of the first link whose relations have `next`.
    static func next(in header: String) -> String? {
        var rest = header[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let target = rest[rest.index(after: start)..<end]
            let parameters = Self.parameters(rest[rest.index(after: end)...])
            if relations(in: parameters.text).contains("next") { return String(target) }
            rest = parameters.rest
        }
        return nil
    }

    /// What stands between this target and the comma before the next, which may not be one within quotes.
    private static func parameters(_ text: Substring) -> (text: Substring, rest: Substring) {
        var isQuoted = false
        let end = text.firstIndex { mark in
            if mark == "\"" { isQuoted.toggle() }
            return mark == "," && !isQuoted
        }
        guard let end else { return (text, "") }
        return (text[..<end], text[text.index(after: end)...])
    }

    private static func relations(in parameters: Substring) -> [String] {
        for parameter in parameters.split(separator: ";") {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, trimmed(parts[0]) == "rel" else { continue }
            return trimmed(parts[1]).split(separator: " ").map { trimmed($0) }
        }
        return []
    }

    private static func trimmed(_ text: Substring) -> String {
        let isNoise: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\"" }
        let start = text.drop(while: isNoise)
        return start.lastIndex { !isNoise($0) }.map { start[...$0].lowercased() } ?? ""
    }

    private static func trimmed(_ text: String) -> String { trimmed(text[...]) }
}
