import KeyedLists
import ListProtocol
import RefreshableListsClient
import Testing

@testable import RefreshableCommand

struct ScreenTests {
    private let screen = Screen(size: Screen.Size(columns: 40, rows: 9), isColoured: false)

    @Test func aListIsDrawnAsWideAsTheWindow() {
        var content = content(rows: 6)
        content.state?.updatedAt = content.now - 120_000
        #expect(
            screen.lines(of: content)
                == [
                    "Fruit                  Updated 2 min ago",
                    "",
                    "",
                    "  Row 0  said of 0              just now",
                    "  Row 1  said of 1              just now",
                    "  Row 2  said of 2              just now",
                    "  Row 3  said of 3              just now",
                    "",
                    "r refresh   ↑↓ scroll   q quit  1–4 of 6",
                ])
    }

    @Test func changesAreMarkedWithoutColoursToo() {
        var content = content(rows: 3)
        content.marks = ["0": .inserted, "1": .changed, "2": .moved]
        #expect(screen.lines(of: content)[3...5].map { String($0.prefix(3)) } == ["+ R", "~ R", "> R"])
    }

    @Test func theBarIsTheProgressOfTheRun() {
        var content = content(rows: 0)
        content.state = ListState(list: "fruit", phase: .loading, run: "r1")
        content.progress = WatchedList.Progress(completed: 1, total: 4, note: "page 3")
        #expect(screen.lines(of: content)[1] == "▕█████               ▏ 1 of 4 · page 3")
    }

    @Test func withoutATotalSomethingTurns() {
        var content = content(rows: 0)
        content.state = ListState(list: "fruit", phase: .loading, run: "r1")
        content.progress = WatchedList.Progress(completed: 12, total: nil, note: nil)
        #expect(screen.lines(of: content)[1] == "⠋ Refreshing… · 12")
        content.tick = 1
        #expect(screen.lines(of: content)[1] == "⠙ Refreshing… · 12")
        #expect(screen.lines(of: content).last?.hasPrefix("c cancel") == true)
    }

    @Test func aFailureIsSaidWithItsReason() {
        var content = content(rows: 0)
        content.state?.last = LastRun(
            run: "r1", outcome: .failure, duration: 9, changes: ChangeCounts(),
            error: RunError(code: "x", message: "No door."))
        #expect(screen.lines(of: content)[1] == "The refresh failed: No door.")
    }

    @Test func whatIsNewIsSaidWhileItIsNews() {
        var content = content(rows: 0)
        content.state?.last = LastRun(
            run: "r1", outcome: .success, duration: 90, changes: ChangeCounts(inserted: 2, removed: 1))
        #expect(screen.lines(of: content)[1].isEmpty)
        content.showsOutcome = true
        #expect(screen.lines(of: content)[1] == "2 new, 1 removed in 0.1 s")
    }

    @Test(arguments: [(80, 24), (200, 50), (20, 6), (3, 2), (1, 1), (40, 3)])
    func noLineIsWiderThanTheWindowAndNoneTooMany(columns: Int, rows: Int) {
        let screen = Screen(size: Screen.Size(columns: columns, rows: rows), isColoured: false)
        for phase in Phase.allCases {
            var content = content(rows: 100)
            content.state = ListState(list: "fruit", phase: phase, run: "r1", staleSince: 1)
            content.title = "果物のとても長いリストの名前"
            content.progress = WatchedList.Progress(completed: 3, total: 7, note: "a rather long note about page 3")
            let lines = screen.lines(of: content)
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.displayWidth <= columns })
        }
    }

    @Test func listThatWasNeverLoadedIsNotSaidToBeEmpty() {
        var content = content(rows: 0)
        #expect(screen.lines(of: content).contains("  Not loaded yet"))
        content.state = ListState(list: "fruit", phase: .waiting, updatedAt: 1)
        #expect(screen.lines(of: content).contains("  Nothing here yet"))
    }

    @Test func coloursSurroundTextAndAreEnded() {
        let screen = Screen(size: screen.size, isColoured: true)
        #expect(screen.lines(of: content(rows: 0))[0].hasPrefix("\u{1B}[1mFruit"))
        #expect(screen.lines(of: content(rows: 0))[0].contains("\u{1B}[0m"))
    }

    private func content(rows: Int) -> Screen.Content {
        let now: Int64 = 1_000_000_000_000
        return Screen.Content(
            title: "Fruit",
            rows: (0..<rows).map { number in
                let fields = Fields([
                    "title": .string("Row \(number)"), "subtitle": .string("said of \(number)"), "time": 1e12,
                ])
                return (Key("\(number)"), fields)
            }, state: ListState(list: "fruit", phase: .waiting), isRefreshable: true, marks: [:], top: 0, tick: 0,
            now: now)
    }
}
