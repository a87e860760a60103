import KeyedLists
import Testing

@testable import RefreshableCommand

struct RowTableTests {
    private let rows = [
        ListRow("a", title: "Apple", subtitle: "from Ann", badge: "3"), ListRow("bb", title: "蜜柑", subtitle: "x"),
    ]

    @Test
    func columnsAreThoseThatTheRowsHaveAndLineUpByTheirWidthOnScreen() {
        #expect(
            RowTable(rows, now: 0).lines(width: 80, isColoured: false) == [
                "  KEY  TITLE  SUBTITLE  BADGE",
                "  a    Apple  from Ann  3",
                "  bb   蜜柑   x",
            ])
    }

    @Test
    func theWidestColumnsMakeRoom() {
        let long = ListRow("a", title: "A title that is far too long for the terminal", subtitle: "short")
        #expect(
            RowTable([long], now: 0).lines(width: 30, isColoured: false) == [
                "  KEY  TITLE          SUBTITLE",
                "  a    A title that…  short",
            ])
    }

    @Test
    func aRowCannotWriteElsewhereOnATerminal() {
        let row = ListRow("k\u{1B}[2J", title: "a\nb\tc")
        #expect(RowTable([row], now: 0).lines(width: 80, isColoured: false).last == "  k [2J  a b c")
    }

    @Test
    func namesAreFaintWhereColoursAreWanted() {
        let lines = RowTable(rows, now: 0).lines(width: 80, isColoured: true)
        #expect(lines[0].hasPrefix("\u{1B}[2m") && lines[1].hasPrefix("  a"))
    }
}
