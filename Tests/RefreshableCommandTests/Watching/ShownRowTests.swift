import KeyedLists
import Testing

@testable import RefreshableCommand

struct ShownRowTests {
    @Test func aRowWithoutATitleShowsItsKey() {
        #expect(ShownRow("a", Fields(), now: 0).line == "a")
    }

    @Test func aLineHasWhatThePageShows() {
        let fields = Fields(["title": "A", "subtitle": "b", "detail": "c", "badge": 3, "time": 1000])
        #expect(ShownRow("a", fields, now: 2000).line == "A\tb · c\t3 · just now")
    }

    @Test func whatARowSaysCantMoveTheCursor() {
        let row = ShownRow("a", Fields(["title": "x\u{1B}[2Jy\tz\n"]), now: 0)
        #expect(row.title == "x [2Jy z ")
    }

    @Test(arguments: ["\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{9B}", "\u{7F}", "\u{2028}"])
    func whatARowSaysCantTurnTheDirection(_ mark: String) {
        #expect(ShownRow("a", Fields(["title": .string("x\(mark)y")]), now: 0).title == "x y")
    }

    @Test(
        arguments: [
            (0, "just now"), (9_999, "just now"), (59_000, "59 s ago"), (60_000, "1 min ago"), (7_200_000, "2 h ago"),
            (-7_200_000, "in 2 h"), (86_400_000 * 3, "3 d ago"), (86_400_000 * 30, "4 w ago"),
            (86_400_000 * 800, "2 y ago"),
        ] as [(Int64, String)])
    func timesAreAges(milliseconds: Int64, text: String) {
        #expect(ShownRow("a", Fields(["time": 1e12]), now: 1_000_000_000_000 + milliseconds).end == text)
    }

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("✓", 1), ("❤️", 2), ("한글", 4), ("", 0),
    ])
    func widthsAreThoseOfATerminal(text: String, width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test func textIsCutToItsRoom() {
        #expect("abcdef".fitting(4) == "abc…")
        #expect("日本語".fitting(5) == "日本…")
        #expect("日本語".fitting(4) == "日…")
        #expect("abc".fitting(0) == "")
        #expect("日本".padded(6) == "日本  ")
    }
}
