import KeyedLists
import ListStorage

/// What one list has done since the server's start, and what it is now.
struct ListFigures: Sendable {
    let name: String
    var tally = ListTally()
    var patches = EncodedPatches()
    /// Nil until it was read.
    var rows: Int?
    var isRunning = false
    var overdueHandlers = 0
    var rememberedAnswers = 0
    /// Milliseconds since 1970; nil before the first success.
    var updatedAt: Int64?
    var isStale = false
}

/// What a list counts by itself.
struct ListTally: Sendable {
    var revisions = 0
    /// By the name of their outcome.
    var runs: [String: Int] = [:]
}

/// How often rows were encoded for those who watch, each time once for all of them.
struct EncodedPatches: Sendable {
    /// Patches from one revision to the next.
    var live = 0
    /// Patches over several, for somebody who was behind or came back.
    var folds = 0
    /// All rows.
    var snapshots = 0

    static func += (left: inout EncodedPatches, right: EncodedPatches) {
        left.live += right.live
        left.folds += right.folds
        left.snapshots += right.snapshots
    }
}

extension LiveList {
    /// What it has done, and what it is. It is not read for that.
    var figures: ListFigures {
        var figures = ListFigures(name: name, tally: tally, patches: audience.encoded)
        figures.rows = kept?.rows.count
        figures.isRunning = gate.current != nil
        figures.overdueHandlers = overdueHandlers
        figures.rememberedAnswers = remembered.count
        figures.updatedAt = kept?.facts.updatedAt
        figures.isStale = kept?.facts.staleSince != nil
        return figures
    }
}
