/// Reduces HTML to its text. It is no parser of HTML: what it gives is shown as text, and never as HTML.
enum HTMLText {
    /// Those within a line: words on both sides of another tag are two words, those of a word in bold are one.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "s",
        "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "var", "wbr",
    ]

    /// Without tags, comments, scripts and styles; entities as the letters they stand for; blanks as one.
    static func plain(_ html: String) -> String {
        var scanner = XMLScanner(Array(html.utf8))
        var text = ""
        while let token = scanner.next() {
            switch token {
            case .text(let piece): text += piece
            case .start(let name, _, let isEmpty):
                if !inline.contains(name) { text += " " }
                if !isEmpty, name == "script" || name == "style" { scanner.skipContent(of: name) }
            case .end(let name): if !inline.contains(name) { text += " " }
            case .cut: break
            }
        }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The URL of the first picture; one of a few pixels is there to count readers.
    static func firstImage(_ html: String) -> String? {
        var scanner = XMLScanner(Array(html.utf8))
        while let token = scanner.next() {
            guard case .start("img", let attributes, _) = token, let url = attributes["src"] else { continue }
            let isCounter = ["width", "height"].contains { Int(attributes[$0] ?? "").map { $0 < 4 } ?? false }
            if !url.isEmpty, !url.hasPrefix("data:"), !isCounter { return url }
        }
        return nil
    }

    /// A text as HTML, in which it means itself.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
