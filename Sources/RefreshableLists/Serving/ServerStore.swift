import KeyedLists
import ListStorage
import Locking
import WebSockets

#if PostgreSQL
    import PostgresStorage
#endif
#if SQLite
    import SQLiteStorage
#endif

extension RefreshableServer.Configuration.Data: CustomStringConvertible {
    /// Such as `/var/lib/lists`, `postgres://app@db/lists` or `memory only`. Without a password.
    public var description: String {
        switch self {
        case .ephemeral: "memory only"
        #if SQLite
            case .folder(let path): path
        #endif
        #if PostgreSQL
            case .postgres(let url): PostgresStore.shown(url)
        #endif
        }
    }
}

/// A server's store, which is there from the server's beginning and opened when the server runs.
final class ServerStore: ListStore {
    private let data: RefreshableServer.Configuration.Data
    private let opened = Locked<(any ListStore)?>(nil)

    init(_ data: RefreshableServer.Configuration.Data) { self.data = data }

    /// Opens the store, once. The threads of lists start afterwards, so that no list of a server that runs finds it closed.
    func open() throws(ListStoreError) {
        let store: any ListStore
        switch data {
        case .ephemeral: store = MemoryStore()
        #if SQLite
            case .folder(let path): store = try SQLiteStore(folder: path)
        #endif
        #if PostgreSQL
            case .postgres(let url): store = try PostgresStore(url)
        #endif
        }
        opened.withLock { $0 = store }
    }

    func load(_ list: String) throws(ListStoreError) -> StoredList { try store().load(list) }

    func head(of list: String) throws(ListStoreError) -> ListHead? { try store().head(of: list) }

    func commit(to list: String, _ change: () throws -> (commit: Commit, facts: StoredFacts)?) throws {
        try store().commit(to: list, change)
    }

    func stage(_ commit: Commit, of list: String) throws(ListStoreError) -> StagedCommit {
        try store().stage(commit, of: list)
    }

    func commit(_ staged: StagedCommit, facts: StoredFacts, to list: String) throws(ListStoreError) {
        try store().commit(staged, facts: facts, to: list)
    }

    func finish(of list: String) throws(ListStoreError) { try store().finish(of: list) }

    func note(_ facts: StoredFacts, of list: String) throws(ListStoreError) { try store().note(facts, of: list) }

    func renewEpoch(of list: String) throws(ListStoreError) -> Epoch { try store().renewEpoch(of: list) }

    func replace(_ list: String, with other: StoredList) throws(ListStoreError) -> Epoch {
        try store().replace(list, with: other)
    }

    var shared: (any SharedListStore)? { opened.withLock { $0 }?.shared }

    var fault: ListStoreError? { opened.withLock { $0 }?.fault }

    func onNews(_ tell: @escaping @Sendable (StoreEvent) -> Void) { opened.withLock { $0 }?.onNews(tell) }

    /// Does nothing where it could not be opened.
    func close() throws(ListStoreError) { try opened.withLock { $0 }?.close() }

    #if PostgreSQL
        /// The database's store, where lists are in one.
        func postgres() throws(ListStoreError) -> PostgresStore {
            guard let store = opened.withLock({ $0 }) as? PostgresStore else { throw .closed(path: "\(data)") }
            return store
        }
    #endif

    /// - Throws: `closed` where it could not be opened: the lists of a server that failed are asked all the same.
    private func store() throws(ListStoreError) -> any ListStore {
        guard let store = opened.withLock({ $0 }) else { throw .closed(path: "\(data)") }
        return store
    }
}
