import Foundation
package import KeyedLists

/// Words that are looked for: each has to be somewhere in the texts of a row, without regard to case and accents.
///
/// Addresses are not read: whoever looks for `com` means no link.
package struct SearchTerms: Hashable, Sendable {
    /// Folded, in UTF-8.
    private let words: [[UInt8]]

    /// The words of a text.
    package init(_ text: String) {
        words = Self.folded(text).split { $0 == UInt8(ascii: " ") }.map { Array($0) }
    }

    package var isEmpty: Bool { words.isEmpty }
    package var count: Int { words.count }
    var folded: [String] { words.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether all of them are in some text of a row.
    package func areFound(in fields: Fields) -> Bool {
        words.isEmpty || fields.bytes.withUnsafeBytes(mayBe) && words.allSatisfy { isFound($0, in: fields) }
    }

    /// Whether all of them are in some of these texts, in UTF-8.
    func areFound(in texts: UnsafeBufferPointer<UnsafeRawBufferPointer>) -> Bool {
        words.allSatisfy { word in
            texts.contains { text in
                if text.isASCII { return text.contains(folded: word) }
                return Self.folded(String(decoding: text, as: UTF8.self)).withUnsafeBytes { $0.contains(folded: word) }
            }
        }
    }

    /// False where a look at the bytes of fields is enough to tell that a word is nowhere: in nearly all rows.
    func mayBe(in bytes: UnsafeRawBufferPointer) -> Bool {
        words.allSatisfy { bytes.contains(folded: $0) || bytes.isUnfolded }
    }

    private func isFound(_ word: [UInt8], in fields: Fields) -> Bool {
        fields.containsText { name, text in
            guard !(name == "image" || name == "link") else { return false }
            if let bytes = text.plainBytes, bytes.isASCII { return bytes.contains(folded: word) }
            return Self.folded(text.string).withUnsafeBytes { $0.contains(folded: word) }
        }
    }

    /// A text in small letters, without accents, full width and half width alike, with single blanks.
    package static func folded(_ text: String) -> [UInt8] {
        // Foundation's tables take 10 ms to load, for whoever looks for a word first.
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            let words = text.utf8.split { $0 == UInt8(ascii: " ") || 0x09...0x0D ~= $0 }
            return words.joined(separator: " ".utf8).map(\.small)
        }
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        return Array(folded.split(whereSeparator: \.isWhitespace).joined(separator: " ").utf8)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a word that is folded is in these bytes, where capitals of ASCII count as small letters.
    fileprivate func contains(folded word: [UInt8]) -> Bool {
        guard let first = word.first, word.count <= count else { return word.isEmpty }
        let last = count - word.count
        let (one, other) = (first.everywhere, (word.count > 1 ? word[1] : first).everywhere)
        let step = word.count > 1 ? 1 : 0
        var start = 0
        // Where the first two letters may be, eight places at a time: a byte is 0 where both are.
        while start + 8 + step <= count {
            let differing = (eight(at: start) ^ one) | (eight(at: start + step) ^ other)
            var found = (differing &- 0x0101_0101_0101_0101) & ~differing & 0x8080_8080_8080_8080
            while found != 0 {
                let place = start + found.trailingZeroBitCount / 8
                if place <= last, isFolded(word, at: place) { return true }
                found &= found - 1
            }
            start += 8
        }
        return start <= last && (start...last).contains { isFolded(word, at: $0) }
    }

    private func isFolded(_ word: [UInt8], at start: Int) -> Bool {
        word.indices.allSatisfy { self[start + $0].small == word[$0] }
    }

    /// Eight bytes, the first of which is the lowest, with the bit that tells small letters from capitals; what else has that bit
    /// is looked at closely.
    @inline(__always)
    private func eight(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)) | 0x2020_2020_2020_2020
    }

    /// Whether there are no letters beyond ASCII.
    fileprivate var isASCII: Bool {
        var (found, offset): (UInt64, Int) = (0, 0)
        while offset + 8 <= count {
            found |= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        while offset < count {
            found |= UInt64(self[offset])
            offset += 1
        }
        return found & 0x8080_8080_8080_8080 == 0
    }

    /// Whether there are letters beyond ASCII, or escapes.
    fileprivate var isUnfolded: Bool {
        var (found, offset): (UInt64, Int) = (0, 0)
        while offset + 8 <= count {
            let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // A byte is 0 where there is a backslash, and then its highest bit is set here: never left out, and found in vain at times.
            let others = word ^ 0x5C5C_5C5C_5C5C_5C5C
            found |= word | (others &- 0x0101_0101_0101_0101) & ~others
            offset += 8
        }
        return found & 0x8080_8080_8080_8080 != 0 || self[offset...].contains { $0 >= 0x80 || $0 == UInt8(ascii: "\\") }
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var small: UInt8 { 65...90 ~= self ? self | 0x20 : self }

    /// Eight of it, as `eight(at:)` has it.
    @inline(__always)
    fileprivate var everywhere: UInt64 { UInt64(self | 0x20) &* 0x0101_0101_0101_0101 }
}
