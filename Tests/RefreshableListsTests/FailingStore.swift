import KeyedLists
import ListStorage
import Locking
import WebSockets

/// A store in memory that fails as it is told to.
final class FailingStore: ListStore {
    enum Fault: Hashable, Sendable {
        case load, note, commit
        /// Keeps a commit, and then fails.
        case commitOnceKept
        /// Another program holds the store: nothing that writes is done.
        case held
    }

    private let memory = MemoryStore()
    private let whenStaging = Locked<(@Sendable () -> Void)?>(nil)
    private let whenLoading = Locked<(@Sendable () -> Void)?>(nil)
    private let isOld = Locked(false)
    private let headSize = Locked<Int?>(nil)
    private let faults = Locked<Set<Fault>>([])
    private let asked = Locked(0)
    private let error: ListStoreError

    /// The newest run whose number it was asked to keep.
    var askedRuns: Int { asked.withLock(\.self) }

    init(_ error: ListStoreError = .diskFull(path: "/secret/lists.sqlite")) {
        self.error = error
    }

    /// From now on these fail.
    func fail(_ faults: Set<Fault>) { self.faults.withLock { $0 = faults } }

    /// From now on this is done, and may block, when a large commit is staged.
    func whenStaging(_ body: @escaping @Sendable () -> Void) { whenStaging.withLock { $0 = body } }

    /// From now on this is done, and may block, when a list is loaded.
    func whenLoading(_ body: @escaping @Sendable () -> Void) { whenLoading.withLock { $0 = body } }

    /// From now on it is that of a later process, which finds the same lists.
    func growOld() { isOld.withLock { $0 = true } }

    /// From now on it gives out so many rows before it has read all.
    func giveOutHeads(of size: Int) { headSize.withLock { $0 = size } }

    func head(of list: String) throws(ListStoreError) -> ListHead? {
        guard let size = headSize.withLock(\.self) else { return nil }
        let stored = try memory.load(list)
        return ListHead(
            epoch: stored.epoch, revision: stored.list.revision, rows: stored.list.rows(in: 0..<size),
            count: stored.list.count, facts: stored.facts)
    }

    func stage(_ commit: Commit, of list: String) throws(ListStoreError) -> StagedCommit {
        whenStaging.withLock(\.self)?()
        try check(.commit)
        return try memory.stage(commit, of: list)
    }

    func commit(_ staged: StagedCommit, facts: StoredFacts, to list: String) throws(ListStoreError) {
        try checkIsFree()
        try memory.commit(staged, facts: facts, to: list)
        try check(.commitOnceKept)
    }

    /// The list as it is kept, whatever fails.
    func kept(_ list: String) throws -> StoredList { try memory.load(list) }

    func load(_ list: String) throws(ListStoreError) -> StoredList {
        whenLoading.withLock(\.self)?()
        try check(.load)
        var stored = try memory.load(list)
        stored.isRestored = isOld.withLock(\.self)
        return stored
    }

    func commit(to list: String, _ change: () throws -> (commit: Commit, facts: StoredFacts)?) throws {
        try checkIsFree()
        guard let (commit, facts) = try change() else { return }
        try check(.commit)
        try memory.commit(commit, facts: facts, to: list)
        try check(.commitOnceKept)
    }

    func note(_ facts: StoredFacts, of list: String) throws(ListStoreError) {
        asked.withLock { $0 = max($0, facts.runs) }
        try checkIsFree()
        try check(.note)
        try memory.note(facts, of: list)
    }

    func renewEpoch(of list: String) throws(ListStoreError) -> Epoch {
        try checkIsFree()
        return try memory.renewEpoch(of: list)
    }

    func replace(_ list: String, with other: StoredList) throws(ListStoreError) -> Epoch {
        try checkIsFree()
        return try memory.replace(list, with: other)
    }

    func close() throws(ListStoreError) {}

    private func checkIsFree() throws(ListStoreError) {
        if faults.withLock({ $0.contains(.held) }) { throw .busy(path: "/secret/lists.sqlite") }
    }

    private func check(_ fault: Fault) throws(ListStoreError) {
        if faults.withLock({ $0.contains(fault) }) { throw error }
    }
}
