/// Scripts as browsers are sent them: without the comments that fill whole lines, and without indentation.
///
/// Nothing is parsed. It counts on how the scripts of `Public` are written: no line of a template literal begins as a
/// comment does, but for comments of CSS, and none needs the spaces it begins with. A test compares every script with what
/// it is read from, by their syntax trees.
enum LeanScript {
    static func of(_ script: [UInt8]) -> [UInt8] {
        var lean: [UInt8] = []
        lean.reserveCapacity(script.count)
        var isInComment = false
        for line in script.split(separator: UInt8(ascii: "\n")) {
            let code = withoutComment(line[...], isInComment: &isInComment)
            guard !code.isEmpty else { continue }
            lean += code
            lean.append(UInt8(ascii: "\n"))
        }
        return lean
    }

    /// A lean script without the line breaks that it does not need, those behind what opens, goes on, or is at its end, and
    /// without the spaces that its styles and its signs don't.
    static func joined(_ lean: String) -> [UInt8] {
        let ends = Set("{}([;,".utf8)
        return withTightStyles(lean).split(separator: "\n").flatMap { line in
            withTightSigns(line.utf8) + (line.utf8.last.map(ends.contains) == true ? [] : [UInt8(ascii: "\n")])
        }
    }

    private static func withTightSigns(_ line: Substring.UTF8View) -> [UInt8] {
        var tight: [UInt8] = []
        var rest = line[...]
        while let first = rest.first {
            let sign = first == UInt8(ascii: " ") ? signs.first { rest.starts(with: $0) } : nil
            tight += sign?.dropFirst().dropLast() ?? [first]
            rest = rest.dropFirst(sign?.count ?? 1)
        }
        return tight
    }

    /// Signs of which none stands so in a text, so that the spaces around them mean nothing.
    private static let signs = ["=", "=>", "===", "!==", "&&", "||", "??", "?"].map { Array(" \($0) ".utf8) }

    /// Styles stand between ``sheet(` `` and the next `` `) ``.
    private static func withTightStyles(_ script: String) -> String {
        let pieces = script.split(separator: "sheet(`", omittingEmptySubsequences: false)
        let tight = pieces.dropFirst().map { piece in
            let end = piece.firstRange(of: "`)")?.lowerBound ?? piece.endIndex
            let styles = spaced.reduce(String(piece[..<end])) { styles, text in
                styles.replacing(text, with: text.filter { $0 != " " })
            }
            return styles + piece[end...]
        }
        return ([String(pieces[0])] + tight).joined(separator: "sheet(`")
    }

    /// Where styles are written with a space that means nothing. One before a colon may.
    private static let spaced = [" {", "{ ", "; ", ": ", ", "]

    /// What is left of a line; a comment may have begun above it, and may go on below.
    private static func withoutComment(_ line: ArraySlice<UInt8>, isInComment: inout Bool) -> ArraySlice<UInt8> {
        let text = line.drop { $0 == UInt8(ascii: " ") }
        if !isInComment {
            if text.starts(with: Array("//".utf8)) { return [] }
            guard text.starts(with: Array("/*".utf8)) else { return text }
        }
        isInComment = true
        guard let end = end(of: text) else { return [] }
        isInComment = false
        return withoutComment(text[end...], isInComment: &isInComment)
    }

    /// Behind the first `*/`.
    private static func end(of text: ArraySlice<UInt8>) -> Int? {
        text.indices.dropLast().first { text[$0] == UInt8(ascii: "*") && text[$0 + 1] == UInt8(ascii: "/") }.map {
            $0 + 2
        }
    }
}
