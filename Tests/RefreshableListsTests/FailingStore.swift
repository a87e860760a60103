import KeyedLists
import ListStorage
import WebSockets

/// A store in memory that fails as it is told to.
final class FailingStore: ListStore {
    enum Fault: Hashable, Sendable {
        case load, note, commit
        /// Keeps a commit, and then fails.
        case commitOnceKept
    }

    private let memory = MemoryStore()
    private let faults = Locked<Set<Fault>>([])
    private let error: ListStoreError

    init(_ error: ListStoreError = .diskFull(path: "/secret/lists.sqlite")) {
        self.error = error
    }

    /// From now on these fail.
    func fail(_ faults: Set<Fault>) { self.faults.withLock { $0 = faults } }

    /// The list as it is kept, whatever fails.
    func kept(_ list: String) throws -> StoredList { try memory.load(list) }

    func load(_ list: String) throws(ListStoreError) -> StoredList {
        try check(.load)
        return try memory.load(list)
    }

    func commit(_ commit: Commit, facts: StoredFacts, to list: String) throws(ListStoreError) {
        try check(.commit)
        try memory.commit(commit, facts: facts, to: list)
        try check(.commitOnceKept)
    }

    func note(_ facts: StoredFacts, of list: String) throws(ListStoreError) {
        try check(.note)
        try memory.note(facts, of: list)
    }

    func renewEpoch(of list: String) throws(ListStoreError) -> Epoch { try memory.renewEpoch(of: list) }

    func close() throws(ListStoreError) {}

    private func check(_ fault: Fault) throws(ListStoreError) {
        if faults.withLock({ $0.contains(fault) }) { throw error }
    }
}
