import Foundation
import KeyedLists
import Testing

@testable import ListSources

/// How the letters of feeds are written, and where that is said.
struct FeedEncodingTests {
    @Test(arguments: [
        (String.Encoding.isoLatin1, "ISO-8859-1"), (.windowsCP1252, "windows-1252"), (.utf16, "utf-16"),
        (.utf16LittleEndian, "utf-16"), (.utf16BigEndian, "UTF-16"), (.utf8, "UTF-8"), (.utf8, "utf-16"),
    ])
    func anEncodingIsWhatTheDeclarationSays(encoding: String.Encoding, name: String) throws {
        #expect(try title("<?xml version='1.0' encoding = \"\(name)\"?>", encoding) == "Café £5")
    }

    @Test
    func aMarkCountsForMoreThanAHeaderAndThatForMoreThanADeclaration() throws {
        #expect(try title("\u{FEFF}<?xml version='1.0' encoding='iso-8859-1'?>", .utf8, told: .latin1) == "Café £5")
        #expect(try title("<?xml version='1.0' encoding='iso-8859-1'?>", .utf8, told: .utf8) == "Café £5")
    }

    @Test
    func whatCallsItselfUTF8AndIsNoneIsWindows1252() throws {
        #expect(try title("", .windowsCP1252) == "Café £5")
    }

    @Test
    func lettersThatWereCutSpoilNoOthers() throws {
        var bytes = Array("<rss><item><guid>1</guid><title>Café £5 ".utf8)
        bytes += [0xE2, 0x80] + Array("</title></item></rss>".utf8)
        #expect(try FeedTests.entries(bytes) == ["1 | Café £5 \u{FFFD} | - | - | - | - | -"])
    }

    private func title(_ declaration: String, _ encoding: String.Encoding, told: TextEncoding? = nil) throws -> String?
    {
        let text = "\(declaration)<rss><channel><item><guid>1</guid><title>Café £5</title></item></channel></rss>"
        let bytes = Array(try #require(text.data(using: encoding)))
        var reader = RowReader(RowLayout(.feed), of: "the feed", encoding: told)
        let rows = try bytes.withUnsafeBytes { try reader.append($0) } + (try reader.finish())
        return rows.first?.text("title")
    }
}
