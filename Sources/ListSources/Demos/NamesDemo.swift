import KeyedLists

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
        demo.aftermath = Demo.FollowUpEdit(delay: .seconds(3) * pace, rows: five)
        return demo
    }

    func rows(into run: any RowSink) async throws {
        try await clock.wait(.seconds(3))
        run.yield(Self.seven)
    }

    private static func rows(_ names: [String]) -> [Row] {
        names.map { Row($0.lowercased(), title: $0) }
    }
}
