import Foundation
import KeyedLists
import Testing

@testable import ListSources

struct TextDecoderTests {
    private static let text = "Café £5 – 🍎\n"

    @Test(arguments: [
        (String.Encoding.utf8, TextEncoding.utf8), (.utf16LittleEndian, .utf16), (.utf16BigEndian, .utf16BigEndian),
        (.utf16, .utf8), (.utf16, .windows1252),
    ])
    func lettersAreTheSameInEveryEncodingAndInPieces(encoding: String.Encoding, told: TextEncoding) throws {
        let bytes = Array(try #require(Self.text.data(using: encoding)))
        for size in [1, 2, 3, 5, 100] { #expect(Self.decode(bytes, told, pieces: size) == Self.text) }
    }

    @Test(arguments: [TextEncoding.latin1, .windows1252])
    func latinIsReadAsWindows1252(told: TextEncoding) {
        let bytes: [UInt8] = [0x43, 0xE9, 0x80, 0x93, 0x94, 0x9F, 0xFF]
        #expect(Self.decode(bytes, told, pieces: 2) == "Cé€“”Ÿÿ")
    }

    @Test
    func aMarkCountsForMoreThanWhatWasTold() {
        #expect(Self.decode([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], .windows1252, pieces: 1) == "é")
        #expect(Self.decode([0xFE, 0xFF, 0x00, 0xE9], .utf16, pieces: 1) == "é")
        #expect(Self.decode([0xEF, 0xBB], .windows1252, pieces: 1) == "ï»")
    }

    @Test(
        arguments: [
            ([0x3D, 0xD8], "\u{FFFD}"), ([0x3D, 0xD8, 0x61, 0x00], "\u{FFFD}a"),
            ([0x3D, 0xDC, 0x61, 0x00], "\u{FFFD}a"),
            ([0x61, 0x00, 0x62], "a\u{FFFD}"), ([0x3D, 0xD8, 0x3D, 0xD8], "\u{FFFD}\u{FFFD}"),
        ] as [([UInt8], String)])
    func halvesOfLettersAreTold(bytes: [UInt8], text: String) {
        #expect(Self.decode(bytes, .utf16, pieces: 3) == text)
    }

    @Test(
        arguments: [
            ("UTF-8", .utf8), ("Latin1", .latin1), ("ISO-8859-1", .latin1), ("us-ascii", .latin1),
            ("CP1252", .windows1252),
            ("UTF-16LE", .utf16), ("utf-16be", .utf16BigEndian), ("koi8-r", nil), ("", nil),
        ] as [(String, TextEncoding?)])
    func encodingsHaveManyNames(label: String, encoding: TextEncoding?) {
        #expect(TextEncoding(label: label) == encoding)
    }

    @Test(arguments: [RowFormat.csv, .tsv, .lines])
    func tablesMayBeOfAnyEncoding(format: RowFormat) throws {
        let text = Data("Käse\nBrötchen".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let marked = try RowReader.rows([0xFF, 0xFE] + Array(text), RowLayout(format), pieces: 3)
        let said = try RowReader.rows([0x4B, 0xE4, 0x73, 0x65], RowLayout(format, encoding: .latin1))
        #expect(marked.map { $0.text("title") } == ["Käse", "Brötchen"])
        #expect(said.map { $0.text("title") } == ["Käse"])
    }

    /// RFC 8259 §11.
    @Test
    func headersSayNothingOfJSON() throws {
        var reader = RowReader(RowLayout(.json), of: "the answer", encoding: .latin1)
        let rows = try Array(#"["Käse"]"#.utf8).withUnsafeBytes { try reader.append($0) } + (try reader.finish())
        #expect(rows.map { $0.text("title") } == ["Käse"])
    }

    private static func decode(_ bytes: [UInt8], _ encoding: TextEncoding, pieces: Int) -> String {
        var decoder = TextDecoder(encoding)
        var text: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            text += decoder.decode(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
        }
        return String(decoding: text + decoder.finish(), as: UTF8.self)
    }
}
