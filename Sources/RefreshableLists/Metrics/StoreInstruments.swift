import CoreMetrics
import ListStorage

/// What a server that shares its store records at once.
struct StoreInstruments: Sendable {
    let durations: [StoreOperation: [Timer]]
    let lag: [ChangeSignal: [Timer]]
    let revisions: [Recorder]

    init(_ instruments: inout Instruments) {
        var (durations, lag) = ([StoreOperation: [Timer]](), [ChangeSignal: [Timer]]())
        for operation in StoreOperation.allCases {
            durations[operation] = instruments.timers(.storeDurations, [operation.rawValue])
        }
        for signal in ChangeSignal.allCases { lag[signal] = instruments.timers(.storeLag, [signal.rawValue]) }
        (self.durations, self.lag) = (durations, lag)
        revisions = instruments.recorders(.storeLagRevisions)
    }

    /// An operation of the store has ended.
    func ended(_ operation: StoreOperation, after duration: Duration) {
        for timer in durations[operation] ?? [] { timer.recordNanoseconds(duration.nanoseconds) }
    }

    /// Another server's revisions of a list were taken over, so long after they were heard of.
    func caughtUp(after lag: Duration, by signal: ChangeSignal, revisions count: Int) {
        for timer in self.lag[signal] ?? [] { timer.recordNanoseconds(lag.nanoseconds) }
        for recorder in revisions { recorder.record(count) }
    }
}

extension Instruments {
    /// What a store that servers share has done, and who leads its lists.
    mutating func report(_ store: StoreStatistics, isAvailable: Bool, lists: [ListStatistics]) {
        level(.storeIsAvailable, is: isAvailable ? 1 : 0)
        level(.storeConnections, is: store.connections)
        total(.storeConflicts, is: store.conflicts)
        total(.renewedEpochs, is: store.renewedEpochs)
        report(.storeErrors, [store.errors], all: StoreOperation.allCases) { $0.rawValue }
        for list in lists {
            level(.leads, [list.name], is: list.isLeader ? 1 : 0)
            for change in LeadChange.allCases {
                total(.leadChanges, [list.name, change.rawValue], is: list.counts.leadChanges[change] ?? 0)
            }
        }
    }
}
