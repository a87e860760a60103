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

    /// Nil for a name that nobody knows, and a number that is no letter.
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
