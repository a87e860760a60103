import Pulling

/// A pull at random: settings and commands, the same for the same seed. Mostly what a finger and a list do, close to
/// the distances that decide; now and then what neither should.
struct RandomRule: CustomStringConvertible {
    let seed: UInt64
    let settings: Settings
    let commands: [Command]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var settings = Settings()
        settings.configuration = Self.configuration(&random)
        settings.isLoading = Int.random(in: 0..<5, using: &random) == 0
        settings.isStrict = true
        self.seed = seed
        self.settings = settings
        var commands: [Command] = []
        repeat {
            let count = Int.random(in: 5...60, using: &random)
            commands = (0..<count).map { _ in Self.command(settings.configuration, &random) }
            // Touches alone tell nothing: in a table, that is a rule without steps.
        } while commands.allSatisfy { $0 == .touch }
        self.commands = commands
    }

    /// The rule as a table, with every column as the reducer fills it.
    var description: String {
        var replay = Replay(settings)
        let steps = commands.map { command in
            let columns = replay.observe(command)
            return command == .touch ? "    touch" : "    \(command)  \(columns)"
        }
        return (["Random rule \(seed)."] + settings.lines.map { "    \($0)" } + steps).joined(separator: "\n")
    }

    private static func configuration(_ random: inout SplitMix64) -> PullConfiguration {
        let all = PullConfiguration.Preset.allCases
        let preset = all[Int.random(in: 0..<all.count, using: &random)].configuration
        guard Bool.random(using: &random) else { return preset }
        let threshold = Double(Int.random(in: 2...400, using: &random)) / 2
        let minimum = Double.random(in: 0..<threshold, using: &random).rounded(.down)
        let hysteresis = max(0.5, Double.random(in: 0..<threshold, using: &random).rounded(.down))
        do throws(PullConfigurationError) {
            return try preset.changing(threshold: threshold, minimum: minimum, hysteresis: hysteresis)
        } catch {
            preconditionFailure("A random configuration must be one that a list may have: \(error)")
        }
    }

    private static func command(_ configuration: PullConfiguration, _ random: inout SplitMix64) -> Command {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<48: .pull(offset(configuration, &random), gesture: gesture(&random))
        case 48..<62: release(configuration, &random)
        case 62..<65: .cancel(gesture: gesture(&random))
        case 65..<75: .touch
        case 75..<80: .fact(.begin)
        case 80..<83: .fact(.refuse)
        case 83..<89: .fact(.end)
        case 89..<94: .fact(.settle)
        default: list(&random)
        }
    }

    private static func release(_ configuration: PullConfiguration, _ random: inout SplitMix64) -> Command {
        let isSilent = Bool.random(using: &random)
        return .release(
            Bool.random(using: &random) ? nil : offset(configuration, &random), gesture: gesture(&random),
            peak: isSilent ? nil : offset(configuration, &random))
    }

    private static func list(_ random: inout SplitMix64) -> Command {
        let phases = Pull.Phase.allCases
        let run = Int.random(in: 0...4, using: &random)
        return .list(phases[Int.random(in: 0..<phases.count, using: &random)], run: run == 0 ? nil : "r\(run)")
    }

    private static func gesture(_ random: inout SplitMix64) -> Int? {
        Int.random(in: 0..<12, using: &random) == 0 ? Int.random(in: -1...6, using: &random) : nil
    }

    private static func offset(_ configuration: PullConfiguration, _ random: inout SplitMix64) -> Double {
        let threshold = configuration.threshold
        let edges = [configuration.minimum, threshold, threshold - configuration.hysteresis]
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<18:
            let edge = edges[Int.random(in: 0..<edges.count, using: &random)]
            return [edge, edge.nextUp, edge.nextDown, edge + 0.5, edge - 0.5][Int.random(in: 0..<5, using: &random)]
        case 18..<38: return Double.random(in: -threshold...2 * threshold, using: &random)
        case 38: return [0, -0.0, 10_000, -10_000][Int.random(in: 0..<4, using: &random)]
        default: return [.nan, .infinity, -.infinity, 10_000.5, -1e9][Int.random(in: 0..<5, using: &random)]
        }
    }
}
