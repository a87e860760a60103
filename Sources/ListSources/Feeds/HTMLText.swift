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

/// The letters that HTML has names for: those that feeds use, of two thousand. HTML 4.01 §24.
enum HTMLNames {
    static func letter(_ name: String) -> Unicode.Scalar? { letters[name] }

    private static let letters: [String: Unicode.Scalar] = {
        var letters = special
        for (index, name) in latin.split(separator: " ").enumerated() {
            letters[String(name)] = Unicode.Scalar(0xA0 + UInt8(index))
        }
        return letters
    }()

    /// From U+00A0 to U+00FF.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr \
        deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest \
        Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml \
        ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig \
        agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml \
        eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    private static let special: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "OElig": "Œ", "oelig": "œ", "Scaron": "Š",
        "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ", "circ": "ˆ", "tilde": "˜", "ensp": "\u{2002}", "emsp": "\u{2003}",
        "thinsp": "\u{2009}", "zwnj": "\u{200C}", "zwj": "\u{200D}", "lrm": "\u{200E}", "rlm": "\u{200F}",
        "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”",
        "bdquo": "„", "dagger": "†", "Dagger": "‡", "bull": "•", "hellip": "…", "permil": "‰", "prime": "′",
        "Prime": "″", "lsaquo": "‹", "rsaquo": "›", "euro": "€", "trade": "™", "larr": "←", "uarr": "↑",
        "rarr": "→", "darr": "↓", "harr": "↔", "minus": "−", "infin": "∞", "asymp": "≈", "ne": "≠", "le": "≤",
        "ge": "≥", "hearts": "♥",
    ]
}

/// Reads `&amp;`, `&eacute;`, `&#8211;` and `&#x2013;`. None of them can grow, and none leads anywhere.
enum CharacterReference {
    /// The longest name has eight letters; numbers may have zeros in front.
    private static let longestName = 32

    /// Passes over what begins with an ampersand, and gives what it means: the ampersand, if it begins nothing.
    static func take(from scanner: inout ByteScanner) -> String {
        guard let (name, length) = name(scanner), let text = text(of: name) else {
            scanner.advance()
            return "&"
        }
        for _ in 0..<length { scanner.advance() }
        return text
    }

    /// What stands between `&` and `;`, and how many bytes that is with both.
    private static func name(_ scanner: ByteScanner) -> (String, Int)? {
        var name: [UInt8] = []
        while let byte = scanner.peek(name.count + 1), byte != UInt8(ascii: ";") {
            guard byte.isXMLName || byte == UInt8(ascii: "#"), name.count < longestName else { return nil }
            name.append(byte)
        }
        guard scanner.peek(name.count + 1) != nil else { return nil }
        return (String(decoding: name, as: UTF8.self), name.count + 2)
    }

    /// Nil for an unknown name, and for a number that is not a character.
    private static func text(of name: String) -> String? {
        guard name.hasPrefix("#") else { return HTMLNames.letter(name).map { String($0) } }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard let number = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10) else {
            return nil
        }
        return letter(number).map { $0.properties.generalCategory == .control && !$0.isBlank ? "" : String($0) }
    }

    /// HTML §13.2.5.80: numbers of control characters are meant as windows-1252.
    private static func letter(_ number: UInt32) -> Unicode.Scalar? {
        0x80...0x9F ~= number ? Windows1252.scalar(UInt8(number)) : Unicode.Scalar(number)
    }
}

extension Unicode.Scalar {
    fileprivate var isBlank: Bool { value == 9 || value == 10 || value == 13 }
}
