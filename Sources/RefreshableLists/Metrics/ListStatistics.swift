import KeyedLists
import ListProtocol
import ListStorage
import WebSockets

/// What one list has done since the server's start, and what it is now: published by it after each change, so that who
/// asks does not wait for it.
struct ListStatistics: Sendable {
    /// What it is, once it was read.
    struct Contents: Hashable, Sendable {
        var count: Int
        var revision: Revision
        var epoch: Epoch
        /// Milliseconds since 1970; nil before the first success.
        var updatedAt: Int64?
        /// Milliseconds since 1970; nil while it is fresh.
        var staleSince: Int64?
    }

    let name: String
    var counts = ListCounts()
    var patches = EncodedPatches()
    /// Nil until it was read, or its first rows were; while it can't be; and once it is served no more.
    var contents: Contents?
    /// Whether all of it was read.
    var isWhole = false
    var isRunning = false
    var overdueHandlers = 0
    var rememberedAnswers = 0
    /// Where servers share the store.
    var isLeader = false
}

/// Counters of one list.
struct ListCounts: Sendable {
    var revisions = 0
    /// By the name of their outcome.
    var runs: [String: Int] = [:]
    /// Where servers share the store.
    var leadChanges: [LeadChange: Int] = [:]
    /// Revisions of other servers that were read.
    var revisionsTaken = 0
}

/// How the lead of a list came to this server or left it.
enum LeadChange: String, CaseIterable {
    case taken
    /// To another server, which found this one gone.
    case lost
    /// This server is about to stop.
    case resigned
}

/// Counts how often rows were encoded; each encoding serves all watchers.
struct EncodedPatches: Sendable {
    /// Patches from one revision to the next.
    var live = 0
    /// Patches over several revisions, for clients that lagged or reconnected.
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
    var currentFigures: ListStatistics {
        var statistics = ListStatistics(name: name, counts: counts, patches: broadcaster.encoded)
        if let kept, !kept.isInDoubt, !hasEnded {
            statistics.isWhole = true
            statistics.contents = .init(
                count: broadcaster.views.sourced.total ?? kept.rows.count, revision: kept.rows.revision,
                epoch: kept.epoch,
                updatedAt: kept.facts.updatedAt, staleSince: staleSince)
        } else if let head = headStart?.head, !hasEnded {
            statistics.contents = .init(
                count: head.count, revision: head.revision, epoch: head.epoch, updatedAt: head.facts.updatedAt,
                staleSince: staleSince)
        }
        statistics.isRunning = gate.current != nil
        statistics.overdueHandlers = overdueHandlers
        statistics.rememberedAnswers = remembered.count
        statistics.isLeader = shared.lead.fence != nil
        return statistics
    }
}

/// Statistics of one loop and of its sessions since the server's start.
struct LoopSessionStatistics: Sendable {
    var loop = LoopStatistics()
    var processorTime = Duration.zero
    /// By list.
    var watches: [String: Int] = [:]
    var counts = LoopSessionCounts()
}

/// Counters of the sessions of one loop.
struct LoopSessionCounts: Sendable {
    /// Answers to messages that could not be done.
    var errors: [ErrorCode: Int] = [:]
    /// Folds that were sent to lagging clients, by list.
    var conflations: [String: Int] = [:]
}
