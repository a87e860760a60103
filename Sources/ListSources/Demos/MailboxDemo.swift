import KeyedLists

/// A mailbox whose messages arrive one by one while it is checked, with progress. The last 24 are kept; sixteen from
/// before its time are found a page at a time.
actor MailboxDemo: PagedSource {
    private let clock: DemoClock
    private var messages: [Row] = []
    private(set) var count = 0

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
        let arriving = arrivals()
        for (index, message) in arriving.enumerated() {
            try await clock.wait(.milliseconds(500))
            run.yield([message])
            run.progress(index + 1, of: arriving.count, note: "\(index + 1) of \(arriving.count) messages")
        }
        run.yield(messages)
        // Only now, so that a check that was cut short finds the same messages again.
        messages = Array((arriving + messages).prefix(24))
        count += arriving.count
    }

    func rows(after last: Row) async throws -> MorePage {
        try await clock.wait(.milliseconds(500))
        guard let number = Int(last.key.string), number > Self.oldest else { return MorePage([], isLast: true) }
        let older = (max(number - Self.batch, Self.oldest)..<number).reversed()
        let now = clock.now()
        let rows = older.map { Self.message($0, time: now - Int64(2 - $0) * 3_600_000) }
        return MorePage(rows, isLast: older.last == Self.oldest)
    }

    /// The messages that wait, newest first: a row is shown after the one yielded before it.
    private func arrivals() -> [Row] {
        let now = clock.now()
        return (0..<Self.batch).map { age in
            Self.message(count + Self.batch - age, time: now - Int64(age) * 60_000)
        }
    }

    private static func message(_ number: Int, time: Int64) -> Row {
        let place = (number - 1) % letters.count
        let letter = letters[place < 0 ? place + letters.count : place]
        return Row(
            "\(number)", title: letter.sender, subtitle: letter.subject, detail: letter.opening, time: time)
    }
}
