import Foundation
package import KeyedLists

/// Words that are looked for: each has to be somewhere in the texts of a row, without regard to case and accents.
///
/// Addresses are not read: whoever looks for `com` means no link.
package struct SoughtWords: Hashable, Sendable {
    /// Folded, in UTF-8.
    private let words: [[UInt8]]

    /// The words of a text.
    package init(_ text: String) {
        words = Self.folded(text).split { $0 == UInt8(ascii: " ") }.map { Array($0) }
    }

    package var isEmpty: Bool { words.isEmpty }
    package var count: Int { words.count }

    /// Whether all of them are in some text of a row.
    package func areFound(in fields: Fields) -> Bool {
        words.isEmpty || words.allSatisfy { mayBe($0, in: fields) } && words.allSatisfy { isFound($0, in: fields) }
    }

    /// False where a look at the bytes is enough to tell that a word is nowhere: in nearly all rows.
    private func mayBe(_ word: [UInt8], in fields: Fields) -> Bool {
        fields.bytes.withUnsafeBytes { bytes in
            bytes.contains(folded: word) || bytes.contains { $0 >= 0x80 || $0 == UInt8(ascii: "\\") }
        }
    }

    private func isFound(_ word: [UInt8], in fields: Fields) -> Bool {
        fields.containsText { name, text in
            guard !(name == "image" || name == "link") else { return false }
            if let bytes = text.plainBytes, bytes.allSatisfy({ $0 < 0x80 }) { return bytes.contains(folded: word) }
            return Self.folded(text.string).withUnsafeBytes { $0.contains(folded: word) }
        }
    }

    /// A text in small letters, without accents, full width and half width alike, with single blanks.
    package static func folded(_ text: String) -> [UInt8] {
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        return Array(folded.split(whereSeparator: \.isWhitespace).joined(separator: " ").utf8)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a word that is folded is in these bytes, where capitals of ASCII count as small letters.
    fileprivate func contains(folded word: [UInt8]) -> Bool {
        guard let first = word.first else { return true }
        var start = 0
        while start + word.count <= count {
            if self[start].small == first, word.indices.allSatisfy({ self[start + $0].small == word[$0] }) {
                return true
            }
            start += 1
        }
        return false
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var small: UInt8 { 65...90 ~= self ? self | 0x20 : self }
}
