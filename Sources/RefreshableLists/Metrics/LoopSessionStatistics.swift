import ListProtocol
import WebSockets

/// What one loop and its loop have done since the server's start, and what they hold now.
struct LoopSessionStatistics: Sendable {
    var loop = LoopStatistics()
    var processorTime = Duration.zero
    /// By list.
    var watches: [String: Int] = [:]
    var counts = LoopSessionCounts()
}

/// What a loop counts by itself.
struct LoopSessionCounts: Sendable {
    /// Answers to messages that could not be done.
    var errors: [ErrorCode: Int] = [:]
    /// Folds that were sent to somebody who was behind, by list.
    var conflations: [String: Int] = [:]
}
