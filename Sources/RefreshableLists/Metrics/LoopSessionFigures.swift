import ListProtocol
import WebSockets

/// What one loop and its loop have done since the server's start, and what they hold now.
struct LoopSessionFigures: Sendable {
    var loop = LoopFigures()
    var processorTime = Duration.zero
    /// By list.
    var watches: [String: Int] = [:]
    var tally = DeskTally()
}

/// What a loop counts by itself.
struct DeskTally: Sendable {
    /// Answers to messages that could not be done.
    var errors: [ErrorCode: Int] = [:]
    /// Folds that were sent to somebody who was behind, by list.
    var conflations: [String: Int] = [:]
}
