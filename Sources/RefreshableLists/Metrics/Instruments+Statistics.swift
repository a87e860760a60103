import ListProtocol
import WebSockets

extension Instruments {
    /// What the loops said, the first one first.
    mutating func report(_ handlers: [LoopSessionStatistics]) {
        for (number, loopSessions) in handlers.enumerated() { report(loopSessions, of: "\(number)") }
        report(.closedSockets, handlers.map { $0.loop.closedSockets }) { "\($0)" }
        report(.responses, handlers.map { $0.loop.responses }) { "\($0)" }
        report(.refusals, handlers.map { $0.loop.refusals }, all: Refusal.allCases) { $0.rawValue }
        report(.errors, handlers.map { $0.counts.errors }, all: ErrorCode.allCases) { $0.rawValue }
    }

    /// How many sessions are known, of connected people and of lost ones.
    mutating func report(sessions: Int) { level(.sessions, is: sessions) }

    /// Who was turned away for want of a token or a right, beside those whom the loops turned away.
    mutating func report(_ refusals: [AccessRefusal: Int]) {
        report(.refusals, [refusals], all: AccessRefusal.allCases) { $0.rawValue }
    }

    /// What the lists said, and the loops of them.
    mutating func report(_ lists: [ListStatistics], watchedOn handlers: [LoopSessionStatistics]) {
        keep(lists: Set(lists.map(\.name)))
        level(.lists, is: lists.count)
        for list in lists {
            report(list)
            level(.watches, [list.name], is: handlers.reduce(0) { $0 + ($1.watches[list.name] ?? 0) })
            total(.conflations, [list.name], is: handlers.reduce(0) { $0 + ($1.counts.conflations[list.name] ?? 0) })
        }
    }

    private mutating func report(_ loopSessions: LoopSessionStatistics, of loop: String) {
        let statistics = loopSessions.loop
        level(.connections, [loop], is: statistics.connections)
        level(.sockets, [loop], is: statistics.sockets)
        total(.acceptedConnections, [loop], is: statistics.acceptedConnections)
        total(.openedSockets, [loop], is: statistics.openedSockets)
        for (compression, traffic) in [("none", statistics.plain), ("deflate", statistics.compressed)] {
            total(.sentFrames, [loop, compression], is: traffic.frames)
            total(.sentBytes, [loop, compression], is: traffic.bytes)
        }
        total(.inflatedBytes, [loop], is: statistics.inflatedBytes)
        total(.receivedMessages, [loop], is: statistics.receivedMessages)
        total(.receivedBytes, [loop], is: statistics.receivedBytes)
        total(.processorTime, [loop], is: Double(loopSessions.processorTime.nanoseconds) / 1e9)
    }

    /// Sums what several loops counted by words of ours; all of `all` is there from the beginning.
    private mutating func report<Word: Hashable>(
        _ metric: Metric, _ counts: [[Word: Int]], all: [Word] = [], label: (Word) -> String
    ) {
        var sums = Dictionary(uniqueKeysWithValues: all.map { ($0, 0) })
        for count in counts { sums.merge(count, uniquingKeysWith: +) }
        for (word, sum) in sums { total(metric, [label(word)], is: sum) }
    }

    private mutating func report(_ list: ListStatistics) {
        let name = list.name
        if let contents = list.contents { level(.rows, [name], is: contents.count) }
        total(.revisions, [name], is: list.counts.revisions)
        total(.patches, [name, "live"], is: list.patches.live)
        total(.patches, [name, "fold"], is: list.patches.folds)
        total(.patches, [name, "snapshot"], is: list.patches.snapshots)
        for outcome in RefreshOutcome.names { total(.runs, [name, outcome], is: list.counts.runs[outcome] ?? 0) }
        level(.running, [name], is: list.isRunning ? 1 : 0)
        level(.overdueHandlers, [name], is: list.overdueHandlers)
        level(.rememberedAnswers, [name], is: list.rememberedAnswers)
        if let updatedAt = list.contents?.updatedAt { level(.updatedAt, [name], is: Double(updatedAt) / 1000) }
        level(.isStale, [name], is: list.contents?.staleSince != nil ? 1 : 0)
    }
}
