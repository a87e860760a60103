import ListSources
import Pulling

/// How a pull on a list feels.
struct PullSettings: Hashable {
    var configuration: PullConfiguration
    var haptics: Bool
    var indicator: String
    /// By phase.
    var texts: [String: String]
}

extension PullSettings {
    /// How a pull feels where settings say nothing: as the demo has it, or as the preset `standard`.
    static func standard(for demo: Demo?) -> PullSettings {
        let preset = demo.flatMap { PullConfiguration.Preset(rawValue: $0.feel.preset) } ?? .standard
        return PullSettings(
            configuration: preset.configuration, haptics: demo?.feel.haptics ?? false,
            indicator: demo?.feel.indicator ?? "default", texts: demo?.feel.texts ?? [:])
    }
}
