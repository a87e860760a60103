import Foundation
import KeyedLists
import Locking
import Testing

@testable import ListSources

/// The demos of the five systems, on a clock that stands still.
struct DemoTests {
    @Test
    func hoursAreNineteenAndMoveWithNow() async throws {
        let demo = try #require(Demo(named: "hours", clock: clock(waiting: .seconds(3)), seed: 1))
        let rows = try await demo.source.run().flatMap(\.self)
        #expect(rows.count == 19)
        #expect(
            rows.first?.fields == ListRow("1", title: "now + 1 hour", time: Date(timeIntervalSince1970: 3601)).fields)
        #expect(rows.last?.text("title") == "now + 19 hours")
        #expect(demo.feel.preset == "recipe" && demo.feel.texts["primed"] == "Now release!")
    }

    @Test
    func namesStartWithFiveAndGoBackToThem() async throws {
        let demo = try #require(Demo(named: "names", clock: clock(waiting: .seconds(3)), seed: 1))
        #expect(demo.initialRows?.map(\.key) == ["jarl", "ehecatl", "jayanti", "surendra", "medeia"])
        #expect(try await demo.source.titles().prefix(3) == ["nephele Nephele", "vesta Vesta", "jarl Jarl"])
        #expect(demo.followUpEdit?.rows == demo.initialRows && demo.followUpEdit?.delay == .seconds(3))
        #expect(demo.feel.preset == "progress")
    }

    @Test
    func fruitIsShuffledAndOneTimeInSixTheSame() async throws {
        let demo = try #require(Demo(named: "fruit", clock: clock(waiting: .seconds(5)), seed: 2026))
        var order = ["apple Apple", "orange Orange", "banana Banana"]
        var same = 0
        for _ in 0..<600 {
            let next = try await demo.source.titles()
            #expect(next.sorted() == order.sorted())
            if next == order { same += 1 }
            order = next
        }
        #expect((70...130).contains(same))
    }

    @Test
    func aSeedRepeatsTheFruit() async throws {
        let orders = try await (0..<2).asyncMap { _ in
            let demo = try #require(Demo(named: "fruit", clock: clock(waiting: .seconds(5)), seed: 7))
            return [try await demo.source.titles(), try await demo.source.titles()]
        }
        #expect(orders[0] == orders[1])
    }

    @Test
    func classicPutsEachRefreshOnTop() async throws {
        let demo = try #require(Demo(named: "classic", clock: clock(waiting: .seconds(2)), seed: 1))
        #expect(try await demo.source.titles() == ["1 Refresh 1"])
        #expect(try await demo.source.titles() == ["2 Refresh 2", "1 Refresh 1"])
        for _ in 0..<20 { _ = try await demo.source.titles() }
        #expect(try await demo.source.titles().count == 12)
    }

    @Test
    func mailArrivesOneByOneNewestFirstWithProgress() async throws {
        let demo = try #require(Demo(named: "mailbox", clock: clock(waiting: .milliseconds(500)), seed: 1))
        #expect(demo.isStreaming)
        _ = try await demo.source.run()
        let sink = TestSink()
        try await demo.source.rows(into: sink)
        let events = await sink.collected()
        #expect(events.map(\.text) == ["0/4", "8", "1/4", "7", "2/4", "6", "3/4", "5", "4/4", "4 3 2 1"])
    }

    @Test
    func olderMailComesInPagesUntilThereIsNone() async throws {
        let demo = try #require(Demo(named: "mailbox", clock: clock(waiting: .milliseconds(500)), seed: 1))
        let source = try #require(demo.source as? any PagedSource)
        var pages: [[String]] = []
        var last = ListRow("1")
        while true {
            let page = try await source.rows(after: last)
            pages.append(page.rows.map(\.key.string))
            last = page.rows.last ?? last
            if page.isLast { break }
        }
        #expect(pages.first == ["0", "-1", "-2", "-3"])
        #expect(pages.count == 4)
        #expect(last.key == "-15")
        #expect(try await source.rows(after: last).rows.isEmpty)
    }

    @Test
    func mailIsInTheOrderOfItsTimesHoweverOftenItIsChecked() async throws {
        let now = Locked<Int64>(1_000_000_000_000)
        let clock = DemoClock(
            now: {
                now.withLock {
                    $0 += 20_000
                    return $0
                }
            }, wait: { _ in })
        let source = MailboxDemo(clock: clock)
        for _ in 0..<5 {
            let shown = try await source.rows().compactMap {
                if case .number(let time)? = $0.fields["time"] { time } else { nil }
            }
            #expect(shown.count >= 4 && zip(shown, shown.dropFirst()).allSatisfy { $0 >= $1 }, "\(shown)")
        }
    }

    @Test
    func aCheckCutShortFindsTheSameMailAgain() async throws {
        let cut = DemoClock(now: { 1000 }, wait: { _ in throw CancellationError() })
        let source = MailboxDemo(clock: cut)
        await #expect(throws: CancellationError.self) { try await source.rows(into: TestSink()) }
        await #expect(throws: CancellationError.self) { try await source.rows(into: TestSink()) }
        #expect(await source.count == 0)
    }

    @Test
    func everyDemoKnowsItsName() {
        #expect(Demo.names.allSatisfy { Demo(named: $0)?.name == $0 })
        #expect(Demo(named: "fruits") == nil)
    }

    private func clock(waiting expected: Duration) -> DemoClock {
        DemoClock(now: { 1000 }, wait: { #expect($0 == expected) })
    }
}

extension TestSink.Event {
    var text: String {
        switch self {
        case .rows(let rows): rows.map(\.key.string).joined(separator: " ")
        case .progress(let text): text.prefix { $0 != " " } + ""
        }
    }
}

extension Sequence {
    func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
