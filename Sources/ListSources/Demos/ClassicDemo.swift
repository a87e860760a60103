import KeyedLists

/// A classic table under a header that says what a pull will do and when the last one did it.
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
                return Row("\(number)", title: "Refresh \(number)", time: time)
            })
    }
}
