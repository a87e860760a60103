import Pulling
import Testing

struct PullConfigurationTests {
    @Test(arguments: PullConfiguration.Preset.allCases)
    func everyPresetPassesItsOwnCheck(_ preset: PullConfiguration.Preset) throws {
        let configuration = preset.configuration
        #expect(try configuration.changing() == configuration)
    }

    @Test func thePresetsAreThoseOfTheSources() {
        #expect(distances(.standard) == [64, 10, 56, 8])
        #expect(distances(.recipe) == [50, 10, 50, 8])
        #expect(distances(.progress) == [100, 10, 36, 8])
        #expect(distances(.classic) == [70, 10, 70, 8])
        #expect(
            PullConfiguration.Preset.allCases.map(\.configuration.trigger) == [.release, .return, .crossing, .release])
    }

    @Test func aConfigurationThatSaysNothingIsStandard() throws {
        #expect(try PullConfiguration() == .standard)
    }

    @Test(arguments: [
        (PullConfiguration.Field.threshold, 5.0, "threshold must be greater than minimum (10), got 5"),
        (.threshold, 10, "threshold must be greater than minimum (10), got 10"),
        (.threshold, .nan, "threshold must be a finite number, got nan"),
        (.threshold, .infinity, "threshold must be a finite number, got inf"),
        (.threshold, 10_000.5, "threshold must be at most 10000, got 10000.5"),
        (.minimum, -1, "minimum must be at least 0, got -1"),
        (.minimum, 64, "threshold must be greater than minimum (64), got 64"),
        (.hysteresis, 0, "hysteresis must be greater than 0, got 0"),
        (.hysteresis, -8, "hysteresis must be greater than 0, got -8"),
        (.hysteresis, 64, "hysteresis must be less than threshold (64), got 64"),
        (.hold, -0.5, "hold must be at least 0, got -0.5"),
        (.hold, -.infinity, "hold must be a finite number, got -inf"),
    ])
    func aDistanceThatCannotBeUsedIsNamed(_ field: PullConfiguration.Field, _ value: Double, _ message: String) {
        let error = #expect(throws: PullConfigurationError.self) { try changed(field, to: value) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        (PullConfiguration.Field.threshold, 10.5), (.threshold, 10_000), (.minimum, 0), (.minimum, 63.5),
        (.hysteresis, 0.5), (.hysteresis, 63.5), (.hold, 0), (.hold, 300),
    ])
    func aDistanceAtTheEdgeIsTaken(_ field: PullConfiguration.Field, _ value: Double) throws {
        #expect(try changed(field, to: value)[field] == value)
    }

    @Test func changingOneMemberKeepsTheOthers() throws {
        let changed = try PullConfiguration.progress.changing(trigger: .release, threshold: 80)
        #expect(changed.trigger == .release)
        #expect(distances(changed) == [80, 10, 36, 8])
    }

    @Test func progressIsOneExactlyWhereThePullIsPrimed() {
        let configuration = PullConfiguration.standard
        #expect(configuration.progress(at: 64) == 1)
        #expect(configuration.progress(at: Double(64).nextDown) < 1)
        #expect(configuration.progress(at: 10) == 0)
        #expect(configuration.progress(at: -10_000) == 0)
        #expect(configuration.progress(at: 10_000) == 1)
    }

    private func changed(_ field: PullConfiguration.Field, to value: Double) throws -> PullConfiguration {
        switch field {
        case .threshold: try PullConfiguration.standard.changing(threshold: value)
        case .minimum: try PullConfiguration.standard.changing(minimum: value)
        case .hold: try PullConfiguration.standard.changing(hold: value)
        case .hysteresis: try PullConfiguration.standard.changing(hysteresis: value)
        }
    }

    private func distances(_ configuration: PullConfiguration) -> [Double] {
        PullConfiguration.Field.allCases.map { configuration[$0] }
    }
}
