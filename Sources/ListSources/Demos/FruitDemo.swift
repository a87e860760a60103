import KeyedLists

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
        run.yield(fruits.map { Row($0.lowercased(), title: $0) })
    }
}
