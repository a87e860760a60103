public import KeyedLists
public import ListStorage
import Locking
import PostgresConnections

/// One list: read from a place on, and changed if it is still there.
extension PostgresStore {
    /// Reads a list from a place on. One that is of another database, or of this one before it was restored, is in a new epoch
    /// then.
    public func read(
        _ list: String, since known: StoredPlace?, awaiting keys: [[UInt8]], unreadOf people: UnreadScope,
        then: @escaping @Sendable (Result<StoredUpdate, ListStoreError>) -> Void
    ) {
        start(.read, { [self] in try await read(list, since: known, awaiting: keys, unreadOf: people) }, then: then)
    }

    /// Keeps a change, if the list is still where it was made, and tells the other servers.
    public func keep(
        _ change: SharedChange, of list: String, then: @escaping @Sendable (Result<KeepOutcome, ListStoreError>) -> Void
    ) {
        start(
            .commit,
            { [self] in
                let outcome = try await keep(change, of: list)
                if outcome == .kept { notices.send(list) } else { meter.noteConflict() }
                return outcome
            }, then: then)
    }

    /// Gives a list a new epoch, if it is still at a place.
    public func renew(
        _ list: String, at place: StoredPlace, then: @escaping @Sendable (Result<KeepOutcome, ListStoreError>) -> Void
    ) {
        start(.renew, { [self] in try await renew(list, at: place) }, then: then)
    }

    private func read(
        _ list: String, since known: StoredPlace?, awaiting keys: [[UInt8]] = [],
        unreadOf people: UnreadScope = .changed([])
    ) async throws -> StoredUpdate {
        let node = node
        let number = lines.withLock { $0[list] }
        let positions = positions.withLock(\.self)
        let found = try await pool.use { [meter] connection in
            // The second look finds what the first has made of it; a third is for whoever was overtaken.
            for _ in 0..<3 {
                guard
                    let found = try await connection.read(
                        list, since: known, by: node, awaiting: keys, unreadOf: people, of: number)
                else {
                    try await connection.create(list)
                    continue
                }
                switch try await connection.vouch(for: found.line, known, positions) {
                case .usable: return found
                case .changed: break
                case .renewed: meter.noteRenewedEpoch()
                }
            }
            throw PostgresError.lost("others change the list \"\(list)\" too often")
        }
        if let damage = found.damage {
            throw ListStoreError.damaged(path: "\(address)", list: list, reason: damage)
        }
        remember(found.line, of: list)
        versions.withLock { $0[found.line.id] = found.version }
        return try update(found, of: list)
    }

    private func update(_ found: UpdateReader.Result, of list: String) throws -> StoredUpdate {
        let line = found.line
        var found = found
        found.agreement.actionRuns = found.actionRuns
        found.agreement.unread = found.unread
        guard line.since == 0 else {
            let changes = ListChanges(
                from: line.since, revision: line.place.revision, floor: line.floor, rows: found.rows,
                tombstones: found.tombstones)
            return StoredUpdate(
                place: line.place, facts: line.facts, rows: .changes(changes), agreement: found.agreement)
        }
        let whole = try found.whole(of: list, at: "\(address)")
        return StoredUpdate(
            place: line.place, facts: line.facts,
            rows: .whole(whole.list, actionRuns: whole.actionRuns, unread: whole.unread), agreement: found.agreement)
    }

    /// Where the answer is lost, it is looked up whether the change was kept: nobody does it again. Facts alone leave no trace by which
    /// that could be told; they are kept again.
    private func keep(_ change: SharedChange, of list: String) async throws -> KeepOutcome {
        let number = try number(of: list)
        do {
            let found = try await pool.use(size: change.size) { try await $0.commit(change, list: number) }
            guard let found else { return .outdated }
            // What another has said in between, without changing rows, is still to be read.
            versions.withLock { if $0[number] == found.previous { $0[number] = found.version } }
            return .kept
        } catch let error as PostgresError {
            guard case .lost = error, change.rows != nil else { throw error }
        } catch let error as CancellationError {
            guard change.rows != nil else { throw error }
        }
        return try await pool.use { try await $0.find(change, list: number) }
    }

    private func renew(_ list: String, at place: StoredPlace) async throws -> KeepOutcome {
        let number = try number(of: list)
        return try await pool.use { [notices, meter] connection in
            let identity = connection.facts.identity.text
            guard try await connection.renew(number, at: place, identity, beyond: place.revision) else {
                return .outdated
            }
            meter.noteRenewedEpoch()
            notices.send(list)
            return .kept
        }
    }
}

/// For who may wait.
extension PostgresStore {
    /// Reads a list, or creates an empty one in a new epoch.
    public func load(_ list: String) throws(ListStoreError) -> StoredList {
        let update = try result(of: .read) { try await self.read(list, since: nil) }
        guard case .whole(let rows, let actionRuns, let unread) = update.rows else {
            throw .failed(path: "\(address)", reason: "a part of the list \"\(list)\" came in the place of all of it")
        }
        return StoredList(
            epoch: update.place.epoch, isRestored: true, list: rows, facts: update.facts, actionRuns: actionRuns,
            unread: unread, tag: update.place.tag)
    }

    /// Keeps one revision of a list.
    public func commit(to list: String, _ change: () throws -> (commit: Commit, facts: StoredFacts)?) throws {
        guard let (commit, facts) = try change() else { return }
        let rows = ListChanges(
            from: commit.revision - 1, revision: commit.revision, floor: commit.floor, rows: commit.rows,
            tombstones: commit.tombstones)
        try keep(facts, of: list, rows: rows)
    }

    /// Keeps the facts of a list.
    public func note(_ facts: StoredFacts, of list: String) throws(ListStoreError) {
        try keep(facts, of: list, rows: nil)
    }

    /// Gives a list a new epoch.
    public func renewEpoch(of list: String) throws(ListStoreError) -> Epoch {
        let place = try place(of: list)
        let outcome = try result(of: .renew) { try await self.renew(list, at: place) }
        guard outcome == .kept else {
            throw .outOfStep(list: list, revision: place.revision)
        }
        return try self.place(of: list).epoch
    }

    private func keep(_ facts: StoredFacts, of list: String, rows: ListChanges?) throws(ListStoreError) {
        let place = try place(of: list)
        var change = SharedChange(place: place, rows: rows, facts: facts)
        guard let fence = try result(of: .lead, { try await self.lead(list, in: place.epoch) }) else {
            throw .unavailable(path: "\(address)", reason: "another server leads the list \"\(list)\"")
        }
        change.leading = (fence, nil)
        let leading = change
        let outOfStep = ListStoreError.outOfStep(list: list, revision: change.next.revision)
        guard rows.map({ $0.from == place.revision }) ?? true else { throw outOfStep }
        let outcome = try result(of: .commit) { try await self.keep(leading, of: list) }
        guard outcome == .kept else { throw outOfStep }
    }

    private func place(of list: String) throws(ListStoreError) -> StoredPlace {
        try result(of: .read) { try await self.read(list, since: nil) }.place
    }

    /// Waits for what is done on the loop.
    func result<Success: Sendable>(
        of operation: StoreOperation, _ body: @escaping @Sendable () async throws -> Success
    ) throws(ListStoreError) -> Success {
        let result = Locked<Result<Success, ListStoreError>?>(nil)
        wait { [self] in
            await withCheckedContinuation { continuation in
                start(operation, body) { done in
                    result.withLock { $0 = done }
                    continuation.resume()
                }
            }
        }
        guard let result = result.withLock({ $0 }) else { preconditionFailure("It was waited for.") }
        return try result.get()
    }
}

extension SharedChange {
    /// The bytes of its rows, about.
    fileprivate var size: Int { rows.map { $0.rows.reduce(0) { $0 + $1.fields.bytes.count + 64 } } ?? 0 }
}
