import KeyedLists
import ListProtocol

/// How a run went, in a few words for people.
struct RunSummary {
    let text: String
    let isGood: Bool

    init(_ last: LastRun) {
        isGood = last.outcome == .success
        let time = "in \(Duration.milliseconds(last.duration).seconds) s"
        let reason = last.error.map { ": \($0.message)" } ?? "."
        text =
            switch last.outcome {
            case .success: "\(Self.news(last)) \(time)"
            case .failure: "The refresh failed\(reason)"
            case .timeout: "The refresh took too long\(reason)"
            case .cancelled: "Cancelled."
            }
    }

    private static func news(_ last: LastRun) -> String {
        let changes = last.changes
        let parts = [
            (changes.inserted, "new"), (changes.changed, "changed"), (changes.moved, "moved"),
            (changes.removed, "removed"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "No new rows" : parts.joined(separator: ", ")
    }
}
