import DequeModule
import KeyedLists
import ListStorage
import Locking
import Logging
import WebSockets

/// What a list has to keep is kept in the order in which it was asked for, at once as a rule; while the store is held by
/// another, the list goes on answering from what is kept.
extension LiveList {
    /// Makes a change now, or in its turn once the store is available; after 5 s it fails.
    ///
    /// Whatever follows from the change belongs into the attempt.
    func inTurn(_ attempt: @escaping ChangeQueue.Attempt) {
        // After the end nothing is kept, and nobody is to wait.
        if hasEnded || queue.isFree, attempt(hasEnded) { return }
        wait(attempt)
    }

    private func wait(_ attempt: @escaping ChangeQueue.Attempt) {
        queue.append(attempt, now: now.uptime)
        if !queue.isHeld { retryLater() }
    }

    /// Commits a change in its turn, and sends it to the watchers.
    ///
    /// A heavy change is made and kept on another thread, while the list goes on answering from what is there; other changes
    /// wait for it.
    ///
    /// - Parameters:
    ///   - record: What is remembered of it where other servers use the store, too.
    ///   - isWanted: Looked at again when a heavy change is about to be seen.
    ///   - make: Says what is to be changed of the rows as they are then. Nil: nothing, and `then` is not called. What it throws is
    ///     told once the rows that it looked at are kept.
    ///   - then: Told of the revision that it made, or that there was where it changed nothing.
    func commit(
        by run: RunID?, while isWanted: @escaping () -> Bool = { true },
        recording record: SharedRecord? = nil,
        _ make: @escaping () throws -> RowsChange?,
        then: @escaping (Result<Revision, any Error>) -> Void
    ) {
        if let shared = store.shared {
            let entry = SharedEntry(run: run, record: record, make: make, then: then)
            return share(.change(entry), in: shared)
        }
        inTurn { [self] isLast in
            let change: RowsChange
            do {
                guard let made = try make() else { return true }
                change = made
            } catch {
                then(.failure(error))
                return true
            }
            if change.weight > heavyCount, !hasEnded {
                makeElsewhere(change, by: run, while: isWanted, then: then)
                return true
            }
            do { try commitNow(by: run, change.apply) } catch {
                if !isLast, isHeldElsewhere(error) { return false }
                then(.failure(error))
                return true
            }
            then(.success(kept?.revision ?? 0))
            return true
        }
    }

    private func makeElsewhere(
        _ change: RowsChange, by run: RunID?, while isWanted: @escaping () -> Bool,
        then: @escaping (Result<Revision, any Error>) -> Void
    ) {
        do { try settleRows() } catch { return then(.failure(error)) }
        guard let rows = kept?.rows else { return then(.success(0)) }
        queue.isHeld = true
        heavyChange = { [self] result in
            take(result, by: run, while: isWanted, then: then)
        }
        BackgroundThread.run { [self, name, store] in
            let result = BackgroundChange(change, of: rows, named: name, in: store)
            post { list in
                let take = list.heavyChange
                list.heavyChange = nil
                take?(result)
            }
        }
    }

    /// A heavy change was made: it is seen with the next small transaction, before what has waited for it.
    private func take(
        _ result: BackgroundChange, by run: RunID?, while isWanted: @escaping () -> Bool,
        then: @escaping (Result<Revision, any Error>) -> Void
    ) {
        switch result.outcome {
        case .failure(let error):
            then(.failure(error))
            putAway(lettingGo: result)
        case .success(nil):
            then(.success(kept?.revision ?? 0))
            goOn()
        case .success(let staged?):
            let attempt: ChangeQueue.Attempt = { [self] isLast in
                var fault: (any Error)? = CancellationError()
                if !hasEnded, isWanted() {
                    fault = nil
                    do { try adopt(result, staged, by: run) } catch {
                        if !isLast, isHeldElsewhere(error) { return false }
                        fault = error
                    }
                }
                then(fault.map { .failure($0) } ?? .success(staged.commit.revision))
                if fault != nil { putAway(lettingGo: result) }
                return true
            }
            queue.prepend(attempt, now: now.uptime)
            goOn()
        }
    }

    /// A heavy change is over: what has waited for it is made.
    private func goOn() {
        queue.isHeld = false
        queue.restartClocks(now: now.uptime)
        makeChanges()
    }

    private func adopt(_ result: BackgroundChange, _ staged: StagedCommit, by run: RunID?) throws {
        guard var kept else { return }
        self.kept = nil
        let old: KeyedList
        do {
            defer {
                self.kept = kept
                publishFigures()
            }
            old = try kept.adopt(result, staged, at: now)
        } catch {
            settleAfterFailure()
            throw error
        }
        publish(staged.commit, by: run, of: kept)
        publishFigures()
        putAway(lettingGo: old)
    }

    /// Deletes staged rows, and frees many rows, in the background. Other changes wait.
    private func putAway(lettingGo rows: some Sendable) {
        queue.isHeld = true
        BackgroundThread.run { [self, name, store, logger] in
            do { try store.finish(of: name) } catch {
                // Nobody sees them where they are; the next change puts them away.
                logger.debug("Cannot delete staged rows yet: \(error)")
            }
            post { $0.goOn() }
            _ = rows
        }
    }

    /// Stores facts. They are published at once, as they are true; if they can't be stored now, they are later.
    ///
    /// The store is asked at once, whoever waits for it: it marks the number of a run that people are about to hear of, so that no
    /// later process gives it again.
    ///
    /// - Parameter then: Told of the error, or nil once they are kept.
    func note(_ facts: StoredFacts, then: @escaping ((any Error)?) -> Void) {
        kept?.owe(facts)
        guard kept?.owesFacts == true else { return then(nil) }
        if let shared = store.shared { return shareFacts(in: shared, then: then) }
        let attempt: ChangeQueue.Attempt = { [self] isLast in
            do { try kept?.payFacts() } catch {
                if !isLast, isHeldElsewhere(error) { return false }
                then(error)
                return true
            }
            then(nil)
            return true
        }
        if !attempt(hasEnded) { wait(attempt) }
    }

    /// Whether a change failed only because another holds the store, and so left nothing behind.
    func isHeldElsewhere(_ error: any Error) -> Bool {
        guard case .busy? = error as? ListStoreError else { return false }
        return true
    }

    /// Makes the changes that wait, until one has to go on waiting.
    func makeChanges() {
        while let entry = queue.next() {
            guard entry.attempt(hasEnded || now.uptime >= entry.since + ChangeQueue.limit) else {
                queue.putBack(entry)
                return retryLater()
            }
            queue.noteProgress()
        }
    }

    private func retryLater() {
        guard !queue.isRetryScheduled else { return }
        queue.isRetryScheduled = true
        executor.schedule(at: now.uptime + queue.nextPause()) { [weak self] in
            self?.assumeIsolated { list in
                list.queue.isRetryScheduled = false
                list.makeChanges()
            }
        }
    }
}

/// The changes of a list that wait for their turn: for the store, which another holds, or for a change before them.
///
/// Pure: the list does them.
struct ChangeQueue {
    /// Makes a change, and reports its result to the caller.
    ///
    /// - Parameter isLast: Whether it is not tried again, so that whoever waits hears that the store is held.
    /// - Returns: False where the store is held, and nothing was done.
    typealias Attempt = (_ isLast: Bool) -> Bool

    struct Entry {
        /// Since when it has waited for the store (uptime).
        var since: Int64
        let attempt: Attempt
    }

    /// How long a change waits for the store, in milliseconds; then it fails.
    static let limit: Int64 = 5000
    /// The longest pause between two attempts, in milliseconds.
    private static let longestPause: Int64 = 50

    private var entries: Deque<Entry> = []
    private var pause: Int64 = 1
    /// Whether a change is being made elsewhere, and all others wait for its end.
    var isHeld = false
    /// Whether the list will try again by itself.
    var isRetryScheduled = false

    /// Whether a change may be made at once.
    var isFree: Bool { entries.isEmpty && !isHeld }
    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ attempt: @escaping Attempt, now: Int64) {
        entries.append(Entry(since: now, attempt: attempt))
    }

    /// Has a change go before all others.
    mutating func prepend(_ attempt: @escaping Attempt, now: Int64) {
        entries.prepend(Entry(since: now, attempt: attempt))
    }

    /// Takes the next change; nil where none waits, or all have to.
    mutating func next() -> Entry? { isHeld ? nil : entries.popFirst() }

    /// Puts a change back that could not be made yet.
    mutating func putBack(_ entry: Entry) { entries.prepend(entry) }

    /// What had to wait for a change of the list itself has not waited for the store.
    mutating func restartClocks(now: Int64) {
        for index in entries.indices { entries[index].since = now }
    }

    /// A change was made: the store is free again.
    mutating func noteProgress() { pause = 1 }

    /// How long to wait before the next attempt, in milliseconds: ever longer, as SQLite does it.
    mutating func nextPause() -> Int64 {
        defer { pause = min(pause * 2, Self.longestPause) }
        return pause
    }
}

/// A change of a list's rows, made when it is its turn.
struct RowsChange: Sendable {
    /// How many rows it looks at or makes.
    var weight: Int
    var apply: @Sendable (inout KeyedList) throws -> Commit?

    /// Makes these all rows of the list, but for those that are to be left alone.
    ///
    /// - Parameter count: how many there are now.
    static func rows(_ rows: [ListRow], sparing: Set<Key> = [], of count: Int = 0, at now: Moment) -> RowsChange {
        RowsChange(weight: max(rows.count, count)) { try $0.replace(with: rows, sparing: sparing, at: now.date) }
    }
}

/// What came of a heavy change: the rows as they will be, and their commit, which the store has staged.
///
/// A box, so that who takes the rows out of it is their only owner.
final class BackgroundChange: Sendable {
    private let rows: Locked<KeyedList?>
    /// Which rows the list will begin with.
    let head: HeadKeys
    let outcome: Result<StagedCommit?, any Error>

    /// Makes the change, on the calling thread.
    init(_ change: RowsChange, of rows: KeyedList, named name: String, in store: any ListStore) {
        var rows = rows
        outcome = Result { try change.apply(&rows).map { try store.stage($0, of: name) } }
        head = HeadKeys(of: rows)
        self.rows = Locked(rows)
    }

    /// The rows, once.
    func take() -> KeyedList? {
        rows.withLock { rows in
            defer { rows = nil }
            return rows
        }
    }
}
