import ListProtocol
import RefreshableListsClient

/// The outcome of a run, in a few words.
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

extension Duration {
    /// Rounded to tenths, for messages.
    var seconds: Double { (self / .milliseconds(100)).rounded() / 10 }
}

extension ListClient.Loss {
    /// For people who watch, or wait.
    var text: String { "Lost the server (\(reason)). Trying again in \(retryAfter.seconds) s." }
}

extension WatchedList.Update {
    /// - Throws: `ListClientError.refused` where the server does not show the list to us, and will not.
    func throwRefusal() throws(ListClientError) {
        guard case .refused(let code, let message) = self, code.retry == .never else { return }
        throw .refused(code, message)
    }
}
