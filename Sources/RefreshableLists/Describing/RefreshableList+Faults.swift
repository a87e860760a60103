import ListProtocol

extension RefreshableList {
    /// What is wrong with the description, and what it takes; nil where it can be served.
    var fault: String? { durationFault ?? pullFault.map { "pull: \($0)." } ?? textFault }

    private var durationFault: String? {
        let durations = [
            ("deadline", rules.deadline), ("every", rules.every), ("maximumAge", maximumAge),
            ("minimumInterval", rules.minimumInterval),
        ]
        for case (let name, let duration?) in durations where duration.milliseconds < 1 {
            return "\(name) must be at least a millisecond, got \(duration). Leave it out, or give it a longer time."
        }
        return nil
    }

    private var textFault: String? {
        let phases = Phase.allCases.map(\.rawValue)
        guard let name = texts.keys.sorted().first(where: { !phases.contains($0) }) else { return nil }
        return "texts has \"\(name)\", which is no phase. Use \(phases.joined(separator: ", "))."
    }
}
