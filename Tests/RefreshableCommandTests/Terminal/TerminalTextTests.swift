import KeyedLists
import Testing

@testable import RefreshableCommand

struct TerminalTextTests {
    /// Of every kind of them, one.
    static let unsafe = [
        "\0", "\u{1B}", "\u{7F}", "\u{9B}", "\u{61C}", "\u{200F}", "\u{2029}", "\u{202E}", "\u{2068}", "\u{FFFA}",
    ]

    @Test(arguments: unsafe) func whatSteersATerminalIsSpelled(_ text: String) throws {
        let scalar = try #require(text.unicodeScalars.first)
        let spelled = "a\\u{\(String(scalar.value, radix: 16, uppercase: true))}b"
        #expect(TerminalText.safe("a\(text)b") == spelled)
        #expect(TerminalText.lines("a\(text)b") == spelled)
        #expect(TerminalText.blank("a\(text)b") == "a b")
    }

    @Test func linesAndTabsStayWhereThereMayBeSeveral() {
        #expect(TerminalText.safe("a\n\tb\r") == "a\\n\\tb\\r")
        #expect(TerminalText.lines("a\n\tb\r") == "a\n\tb\\r")
    }

    @Test(arguments: unsafe) func jsonSaysTheSameWithEscapes(_ text: String) throws {
        let value = JSONValue.string("a\(text)\"\\é日👩‍👩‍👧")
        let json = String(decoding: value.canonical, as: UTF8.self)
        let fit = TerminalText.json(json)
        #expect(!fit.unicodeScalars.contains(text.unicodeScalars.first!))
        #expect(try JSONValue(json: Array(fit.utf8)) == value)
    }

    @Test(arguments: ["", "abc", "é", "日本", "👩‍👩‍👧", "שלום", "a b~"]) func allElseStays(_ text: String) {
        #expect(TerminalText.safe(text) == text && TerminalText.json(text) == text)
    }
}
