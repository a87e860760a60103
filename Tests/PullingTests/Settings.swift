import Pulling

/// The lines of a rule before its first event.
struct Settings {
    var configuration = PullConfiguration.standard
    var isLoading = false
    var isStrict = false

    /// The lines that make these settings.
    var lines: [String] {
        let distances = PullConfiguration.Field.allCases.map { "\($0) \(configuration[$0])" }.joined(separator: " ")
        return ["preset standard trigger \(configuration.trigger) \(distances)"]
            + (isLoading ? ["loading"] : []) + (isStrict ? ["strict"] : [])
    }

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
        let distances = preset.configuration
        var trigger = distances.trigger
        var changed: [PullConfiguration.Field: Double] = [:]
        while !words.rest.isEmpty {
            let name = try words.next()
            if name == "trigger" {
                trigger = try Self.trigger(words.next())
            } else if let field = PullConfiguration.Field(rawValue: name) {
                changed[field] = try words.number()
            } else {
                throw TraceError(reason: "no such word here: \(name)")
            }
        }
        return try distances.changing(
            trigger: trigger, threshold: changed[.threshold], minimum: changed[.minimum], hold: changed[.hold],
            hysteresis: changed[.hysteresis])
    }

    private static func trigger(_ word: String) throws -> PullConfiguration.Trigger {
        guard let trigger = PullConfiguration.Trigger(rawValue: word) else {
            throw TraceError(reason: "no such trigger: \(word)")
        }
        return trigger
    }
}
