import Pulling

/// What the first column of a step says, beside the settings: one thing that happens.
enum Command: Equatable {
    case touch
    case pull(Double, gesture: Int?)
    case release(Double?, gesture: Int?, peak: Double?)
    case cancel(gesture: Int?)
    case fact(Pull.Event)
    case list(Pull.Phase, run: String?)

    /// Reads `release 60 peak 66`, `list closing r7`, and so on.
    init(_ words: [String]) throws {
        var words = Words(words)
        switch try words.next() {
        case "touch": self = .touch
        case "pull": self = .pull(try words.number(), gesture: try words.value(of: "gesture"))
        case "cancel": self = .cancel(gesture: try words.value(of: "gesture"))
        case "release": self = try Command(release: &words)
        case "begin": self = .fact(.begin)
        case "refuse": self = .fact(.refuse)
        case "end": self = .fact(.end)
        case "settle": self = .fact(.settle)
        case "list": self = .list(try words.phase(), run: words.rest.isEmpty ? nil : try words.next())
        case let word: throw TraceError(reason: "no such event: \(word)")
        }
        try words.finish()
    }

    private init(release words: inout Words) throws {
        let offset: Double? = words.rest.count.isMultiple(of: 2) ? nil : try words.number()
        var gesture: Int?
        var peak: Double?
        while let name = words.rest.first {
            if name == "peak" {
                peak = try words.value(of: "peak")
            } else {
                gesture = try words.value(of: "gesture")
            }
        }
        self = .release(offset, gesture: gesture, peak: peak)
    }
}

extension Command: CustomStringConvertible {
    var description: String {
        switch self {
        case .touch: "touch"
        case .pull(let offset, let gesture): "pull \(offset)" + pair("gesture", gesture)
        case .release(let offset, let gesture, let peak):
            "release" + (offset.map { " \($0)" } ?? "") + pair("peak", peak) + pair("gesture", gesture)
        case .cancel(let gesture): "cancel" + pair("gesture", gesture)
        case .fact(let event): "\(event)"
        case .list(let phase, let run): "list \(phase)" + (run.map { " \($0)" } ?? "")
        }
    }

    private func pair(_ name: String, _ value: (some CustomStringConvertible)?) -> String {
        value.map { " \(name) \($0)" } ?? ""
    }
}
