import KeyedLists
import ListStorage
import Logging

/// What a list has to keep is kept in the order in which it was asked for, at once as a rule; while the store is held by
/// another, the list goes on answering from what is kept.
extension LiveList {
    /// Makes a change now, or in its turn once the store can be had; after 5 s it is told that it can't.
    ///
    /// Whatever follows from the change belongs into the attempt.
    func inTurn(_ attempt: @escaping ChangeQueue.Attempt) {
        // After the end nothing is kept, and nobody is to wait.
        if hasEnded || changes.isFree, attempt(hasEnded) { return }
        changes.append(attempt, now: now.uptime)
        if !changes.isHeld { retryLater() }
    }

    /// Commits a change in its turn, and tells those who watch.
    ///
    /// A heavy change is made and kept on another thread, while the list goes on answering from what is there; other changes
    /// wait for it.
    ///
    /// - Parameters:
    ///   - isWanted: Looked at again when a heavy change is about to be seen.
    ///   - make: Says what is to be changed of the rows as they are then. Nil: nothing, and `then` is not called.
    ///   - then: Told of the error, or nil.
    func commit(
        by run: RunID?, while isWanted: @escaping () -> Bool = { true }, _ make: @escaping () -> RowsChange?,
        then: @escaping ((any Error)?) -> Void
    ) {
        inTurn { [self] isLast in
            guard let change = make() else { return true }
            if change.weight > heavyCount, !hasEnded {
                makeElsewhere(change, by: run, while: isWanted, then: then)
                return true
            }
            do { try commitNow(by: run, change.apply) } catch {
                if !isLast, isHeldElsewhere(error) { return false }
                then(error)
                return true
            }
            then(nil)
            return true
        }
    }

    private func makeElsewhere(
        _ change: RowsChange, by run: RunID?, while isWanted: @escaping () -> Bool,
        then: @escaping ((any Error)?) -> Void
    ) {
        do { try settleRows() } catch { return then(error) }
        guard let rows = kept?.rows else { return then(nil) }
        changes.isHeld = true
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
        then: @escaping ((any Error)?) -> Void
    ) {
        switch result.outcome {
        case .failure(let error):
            then(error)
            putAway(lettingGo: result)
        case .success(nil):
            then(nil)
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
                then(fault)
                if fault != nil { putAway(lettingGo: result) }
                return true
            }
            changes.prepend(attempt, now: now.uptime)
            goOn()
        }
    }

    /// A heavy change is over: what has waited for it is made.
    private func goOn() {
        changes.isHeld = false
        changes.restartClocks(now: now.uptime)
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
        publish(staged.commit, by: run, in: kept.epoch)
        publishFigures()
        putAway(lettingGo: old)
    }

    /// Has the store put away what it staged, and lets go of many rows, where nobody waits for that. Other changes wait.
    private func putAway(lettingGo rows: some Sendable) {
        changes.isHeld = true
        BackgroundThread.run { [self, name, store, logger] in
            do { try store.finish(of: name) } catch {
                // Nobody sees them where they are; the next change puts them away.
                logger.debug("Cannot put away staged rows yet: \(error)")
            }
            post { $0.goOn() }
            _ = rows
        }
    }

    /// Keeps facts. They are told at once, for they are true; those that can't be kept now are kept in their turn.
    ///
    /// - Parameter then: Told of the error, or nil once they are kept.
    func note(_ facts: StoredFacts, then: @escaping ((any Error)?) -> Void) {
        kept?.owe(facts)
        guard kept?.owesFacts == true else { return then(nil) }
        inTurn { [self] isLast in
            do { try kept?.payFacts() } catch {
                if !isLast, isHeldElsewhere(error) { return false }
                then(error)
                return true
            }
            then(nil)
            return true
        }
    }

    /// Whether a change failed only because another holds the store, and so left nothing behind.
    func isHeldElsewhere(_ error: any Error) -> Bool {
        guard case .busy? = error as? ListStoreError else { return false }
        return true
    }

    /// Makes the changes that wait, until one has to go on waiting.
    func makeChanges() {
        while let entry = changes.next() {
            guard entry.attempt(hasEnded || now.uptime >= entry.since + ChangeQueue.limit) else {
                changes.putBack(entry)
                return retryLater()
            }
            changes.noteProgress()
        }
    }

    private func retryLater() {
        guard !changes.isRetryScheduled else { return }
        changes.isRetryScheduled = true
        executor.schedule(at: now.uptime + changes.nextPause()) { [weak self] in
            self?.assumeIsolated { list in
                list.changes.isRetryScheduled = false
                list.makeChanges()
            }
        }
    }
}
