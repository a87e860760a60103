import Dispatch
import KeyedLists
import ListProtocol
import ListStorage
import Locking
import Logging
import WebSockets

/// A list is read when it is first needed.
extension LiveList {
    /// Reads the list from the store, unless it has been read.
    func load() throws {
        guard kept == nil else { return try settleRows() }
        let start = headStart
        var kept: PersistentList
        do {
            kept = try start?.read.result() ?? PersistentList(name, from: store)
        } catch {
            endHeadStart()
            throw error
        }
        headStart = nil
        let areRowsKept = try keepInitialRows(of: &kept)
        self.kept = kept
        unreadable = nil
        resume(from: kept.facts)
        if let start { moveOn(from: start, to: kept) }
        guard !areRowsKept else { return }
        commit(by: nil) { [self] in
            // Another server may have been sooner.
            guard self.kept?.rows.revision == 0 else { return nil }
            return .rows(description.headedInitialRows ?? [], at: now)
        } then: { [logger] result in
            if let error = result.error { logger.error("Cannot store the list's first rows: \(error)") }
        }
    }

    /// False where another holds the store, or may: the list is empty for so long.
    private func keepInitialRows(of kept: inout PersistentList) throws -> Bool {
        guard let rows = description.headedInitialRows, kept.rows.revision == 0 else { return true }
        guard store.shared == nil else { return false }
        do {
            _ = try kept.commit(at: now) { try $0.replace(with: rows, at: now.date) }
            return true
        } catch ListStoreError.busy {
            return false
        }
    }

    /// It goes on from where it was when it was kept last.
    func resume(from facts: StoredFacts) {
        last = lastRun(of: facts)
        if let last, last.cause == nil { lastRefresh = RunID(last.run) }
        gate = RefreshGate(
            rules: description.gateRules, runs: facts.runs,
            age: facts.updatedAt.map { .milliseconds(max(0, now.date - $0)) }, leads: store.shared == nil, now: now
        )
        if isDraining { gate.drain() }
        publishState()
    }

    func lastRun(of facts: StoredFacts) -> LastRun? {
        do {
            return try facts.lastRun.map { try LastRun(decoding: $0) }
        } catch {
            logger.warning("Cannot read how the last run ended: \(error)")
            return nil
        }
    }
}

/// All rows of a list, read on a thread of their own.
final class BackgroundRead: Sendable {
    private let list: String
    private let store: any ListStore
    private let found = Locked<Result<PersistentList, any Error>?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    init(of list: String, from store: any ListStore) {
        self.list = list
        self.store = store
    }

    /// Begins, once.
    func begin(whenOver: @escaping @Sendable () -> Void) {
        spawnThread { [self] in
            let result = Result { try PersistentList(list, from: store) }
            found.withLock { $0 = result }
            isOver.signal()
            whenOver()
        }
    }

    /// What was read, or why it could not be. Waits for that. Once.
    func result() throws -> PersistentList {
        isOver.wait()
        guard let result = found.withLock({ $0.take() }) else {
            preconditionFailure("What was read is asked for once.")
        }
        return try result.get()
    }
}
