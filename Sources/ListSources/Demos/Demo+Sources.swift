import KeyedLists

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A classic table under a header that explains what a pull will do and when the last one did it.
///
/// Each refresh takes 2 s and adds the time of it on top; the last twelve are kept.
actor ClassicDemo: RowSource {
    private let clock: DemoClock
    private var refreshes: [Int64] = []
    private var count = 0

    init(clock: DemoClock) {
        self.clock = clock
    }

    static func demo(_ clock: DemoClock) -> Demo {
        Demo(
            name: "classic", title: "Classic", source: ClassicDemo(clock: clock),
            feel: Demo.Feel(
                preset: "classic",
                texts: [
                    "waiting": "Pull to refresh", "primed": "Release to refresh", "loading": "Loading…",
                    "closing": "Finished",
                ]))
    }

    func rows(into run: any RowSink) async throws {
        try await clock.wait(.seconds(2))
        count += 1
        refreshes = Array(([clock.now()] + refreshes).prefix(12))
        run.yield(
            refreshes.enumerated().map { index, time in
                let number = count - index
                return ListRow("\(number)", title: "Refresh \(number)", time: Date(milliseconds: time))
            })
    }
}

/// Three fruits that a call of 5 s brings in another order; one time in six the order is the same.
actor FruitDemo: RowSource {
    private let clock: DemoClock
    private var generator: SeededGenerator
    private var fruits = ["Apple", "Orange", "Banana"]

    init(clock: DemoClock, seed: UInt64) {
        self.clock = clock
        generator = SeededGenerator(seed: seed)
    }

    static func demo(_ clock: DemoClock, seed: UInt64) -> Demo {
        Demo(
            name: "fruit", title: "Fruit", source: FruitDemo(clock: clock, seed: seed),
            feel: Demo.Feel(preset: "standard"))
    }

    func rows(into run: any RowSink) async throws {
        try await clock.wait(.seconds(5))
        fruits.shuffle(using: &generator)
        run.yield(fruits.map { ListRow($0.lowercased(), title: $0) })
    }
}

/// A recipe's list of hours: 19 rows, "now + n hours". A refresh takes 3 s and then moves `now`.
struct HoursDemo: RowSource {
    let clock: DemoClock

    static func demo(_ clock: DemoClock) -> Demo {
        Demo(
            name: "hours", title: "Hours", source: HoursDemo(clock: clock),
            feel: Demo.Feel(
                preset: "recipe", haptics: true,
                texts: ["waiting": "Pull me down…", "primed": "Now release!", "loading": "Working…"]))
    }

    func rows(into run: any RowSink) async throws {
        try await clock.wait(.seconds(3))
        let now = clock.now()
        run.yield((1...19).map { Self.row($0, hoursAfter: now) })
    }

    private static func row(_ hours: Int, hoursAfter now: Int64) -> ListRow {
        ListRow(
            "\(hours)", title: hours == 1 ? "now + 1 hour" : "now + \(hours) hours",
            time: Date(milliseconds: now + Int64(hours) * 3_600_000))
    }
}

/// Names that two more join for a while: five rows without a run, 3 s after a pull seven, and 3 s later five again.
struct NamesDemo: RowSource {
    let clock: DemoClock

    private static let five = rows(["Jarl", "Ehecatl", "Jayanti", "Surendra", "Medeia"])
    private static let seven = rows(["Nephele", "Vesta"]) + five

    static func demo(_ clock: DemoClock, pace: Double) -> Demo {
        var demo = Demo(
            name: "names", title: "Names", source: NamesDemo(clock: clock),
            feel: Demo.Feel(preset: "progress", indicator: "circular", haptics: true))
        demo.initialRows = five
        demo.followUpEdit = Demo.FollowUpEdit(delay: .seconds(3) * pace, rows: five)
        return demo
    }

    func rows(into run: any RowSink) async throws {
        try await clock.wait(.seconds(3))
        run.yield(Self.seven)
    }

    private static func rows(_ names: [String]) -> [ListRow] {
        names.map { ListRow($0.lowercased(), title: $0) }
    }
}

/// A mailbox whose messages arrive one by one while it is checked, with progress. The last 24 are kept; sixteen from
/// before its time are found a page at a time.
actor MailboxDemo: PagedSource {
    private let clock: DemoClock
    private var messages: [ListRow] = []
    private(set) var count = 0
    /// When the newest message arrived.
    private var arrivedAt: Int64?

    private static let batch = 4
    /// The number of the oldest message; those that arrived count from 1.
    private static let oldest = -15
    private static let letters: [(sender: String, subject: String, opening: String)] = [
        ("Ada Lovelace", "Notes on the engine", "I have written the notes you asked for, and some you did not."),
        ("Post office", "A parcel is waiting", "It is heavy, and somebody wrote “books” on it."),
        ("Grace Hopper", "Found a moth", "It was in relay 70 of panel F. Taped it into the log."),
        ("Choir", "Thursday at seven", "Bring the green scores. The hall is cold."),
        ("Alan Turing", "Re: Can it think?", "Let us rather ask whether it can play the game."),
        ("Library", "Two books are due", "You may keep them for a week more if nobody asks."),
        ("Hedy Lamarr", "Frequencies", "If both ends hop together, nobody else can follow."),
        ("Neighbour", "Your cat", "She is in our kitchen again. She is welcome."),
    ]

    init(clock: DemoClock) {
        self.clock = clock
    }

    static func demo(_ clock: DemoClock) -> Demo {
        var demo = Demo(
            name: "mailbox", title: "Mailbox", source: MailboxDemo(clock: clock),
            feel: Demo.Feel(preset: "standard", texts: ["loading": "Checking for mail…"]))
        demo.isStreaming = true
        return demo
    }

    func rows(into run: any RowSink) async throws {
        run.progress(0, of: Self.batch, note: "Checking for mail")
        let now = clock.now()
        let arriving = arrivals(by: now)
        for (index, message) in arriving.enumerated() {
            try await clock.wait(.milliseconds(500))
            run.yield([message])
            run.progress(index + 1, of: arriving.count, note: "\(index + 1) of \(arriving.count) messages")
        }
        run.yield(messages)
        // Only now, so that a check that was cut short finds the same messages again.
        messages = Array((arriving + messages).prefix(24))
        count += arriving.count
        arrivedAt = now
    }

    func rows(after last: ListRow) async throws -> MorePage {
        try await clock.wait(.milliseconds(500))
        guard let number = Int(last.key.string), number > Self.oldest else { return MorePage([], isLast: true) }
        let older = (max(number - Self.batch, Self.oldest)..<number).reversed()
        let now = clock.now()
        let rows = older.map { Self.message($0, time: now - Int64(2 - $0) * 3_600_000) }
        return MorePage(rows, isLast: older.last == Self.oldest)
    }

    /// The messages that wait, newest first: a row is shown after the one yielded before it.
    ///
    /// They arrived since the last look, a minute apart at most: the mailbox is in the order of its times.
    private func arrivals(by now: Int64) -> [ListRow] {
        let apart = min(60_000, arrivedAt.map { (now - $0) / Int64(Self.batch) } ?? 60_000)
        return (0..<Self.batch).map { age in
            Self.message(count + Self.batch - age, time: now - Int64(age) * apart)
        }
    }

    private static func message(_ number: Int, time: Int64) -> ListRow {
        let place = (number - 1) % letters.count
        let letter = letters[place < 0 ? place + letters.count : place]
        return ListRow(
            "\(number)", title: letter.sender, subtitle: letter.subject, detail: letter.opening,
            time: Date(milliseconds: time))
    }
}
