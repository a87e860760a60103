import Pulling

/// The lines of a rule before its first event.
struct Settings {
    var configuration = PullConfiguration.standard
    var isLoading = false
    var isStrict = false

    /// Takes one line in; false if it is no setting.
    mutating func read(_ words: [String]) throws -> Bool {
        switch words {
        case ["loading"]: isLoading = true
        case ["strict"]: isStrict = true
        case let words where words.first == "preset": configuration = try Self.configuration(words)
        default: return false
        }
        return true
    }

    private static func configuration(_ all: [String]) throws -> PullConfiguration {
        var words = Words(all)
        let preset = try (words.next(), words.next()).1
        guard let preset = PullConfiguration.Preset(rawValue: preset) else {
            throw TraceError(reason: "no such preset: \(preset)")
        }
        var configuration = preset.configuration
        while let name = words.rest.first {
            configuration = try change(name, of: configuration, &words)
        }
        return configuration
    }

    private static func change(
        _ name: String, of configuration: PullConfiguration, _ words: inout Words
    ) throws -> PullConfiguration {
        switch try words.next() {
        case "trigger":
            let word = try words.next()
            guard let trigger = PullConfiguration.Trigger(rawValue: word) else {
                throw TraceError(reason: "no such trigger: \(word)")
            }
            return try configuration.changing(trigger: trigger)
        case "threshold": return try configuration.changing(threshold: words.number())
        case "minimum": return try configuration.changing(minimum: words.number())
        case "hold": return try configuration.changing(hold: words.number())
        case "hysteresis": return try configuration.changing(hysteresis: words.number())
        default: throw TraceError(reason: "no such word here: \(name)")
        }
    }
}
