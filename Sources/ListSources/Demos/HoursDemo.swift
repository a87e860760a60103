import KeyedLists

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

    private static func row(_ hours: Int, hoursAfter now: Int64) -> Row {
        Row(
            "\(hours)", title: hours == 1 ? "now + 1 hour" : "now + \(hours) hours",
            time: now + Int64(hours) * 3_600_000)
    }
}
