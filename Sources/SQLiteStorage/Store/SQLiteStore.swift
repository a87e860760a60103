import Foundation
public import KeyedLists
public import ListStorage
import Locking

/// Keeps lists in one SQLite file in a folder of its own, which one server at a time may use.
///
/// What a commit has returned from survives `kill -9`. A loss of power may take the last commits; so may a copy that is put
/// back. Then the lists come in new epochs, with the rows that are left, so no client mistakes one history for another.
/// Nothing is ever deleted but by a commit: a list that nobody asks for keeps its rows. Reading needs no room on the disk
/// and no right to write: a store that can no longer be written still gives out its lists, and takes commits again as soon
/// as it can.
///
///     let store = try SQLiteStore(folder: "./data")
///     let stored = try store.load("names")
///
/// While another program holds the file, or another list is being kept, nothing that writes waits for longer than a few
/// milliseconds, and reading does not wait at all.
///
/// The store believes only what it wrote. Rows that do not fit their checksums make their list one that can't be read, with
/// an error that names it, and no other. Once a second, and beside each commit, it is looked whether the file is still in
/// its place, and whether another program has written to it: then all lists are in new epochs. `onNews` has that told.
public final class SQLiteStore: ListStore {
    /// What is held while the store is open.
    private struct Opened {
        let database: ListDatabase
        let lock: FolderLock
    }

    /// The log is cut above this length, which it has only after large commits, or after somebody has read for long while
    /// others committed. Bytes; SQLite empties it from about 4 MiB on.
    private static let logLimit = 8 << 20

    private let folder: DataFolder
    private let opened: Locked<Opened?>
    private let events: StoreEventBuffer
    private let lastFault = Locked<ListStoreError?>(nil)
    private let watch = Locked<StoreMonitor?>(nil)

    /// Opens the store in a folder, and creates both where there are none; the folder is then for this user alone.
    ///
    /// Lists are read when they are loaded, so this takes the same time whatever there is.
    public convenience init(folder: String) throws(ListStoreError) {
        try self.init(folder: folder, boot: BootID.current())
        let watch = StoreMonitor { [weak self] in
            self?.look()
            return self != nil
        }
        self.watch.withLock { $0 = watch }
    }

    /// Opens the store as if the machine's boot had that name. Nobody looks at it once a second: that is for who opens it so.
    init(folder path: String, boot: String?) throws(ListStoreError) {
        let folder = DataFolder(path: path)
        try folder.create()
        let lock = try FolderLock(folder)
        let events = StoreEventBuffer()
        do {
            let database = try SQLiteStore.open(folder, lock, boot: boot) { events.tell($0) }
            opened = Locked(Opened(database: database, lock: lock))
        } catch {
            throw ListStoreError(error, path: folder.database)
        }
        self.folder = folder
        self.events = events
    }

    deinit { watch.withLock { $0?.end() } }

    /// Why nothing can be kept at the moment: the file is not where it was, or is none of ours any more.
    public var fault: ListStoreError? { lastFault.withLock { $0 } }

    /// Reports what other programs do to the file, and what was found when it was opened.
    public func onNews(_ tell: @escaping @Sendable (StoreEvent) -> Void) { events.open(to: tell) }

    /// Looks whether the file is in its place and as we left it, and cuts a log that has grown. What is found is told once,
    /// and made good where it can be.
    func look() {
        guard let database = opened.withLock({ $0?.database }) else { return }
        do {
            try database.place.check()
            if let fault, fault.isLoss {
                try database.takeUpAgain()
            } else {
                try database.takeUp()
            }
            if lastFault.withLock({ $0.take() }) != nil { events.tell(.recovered(path: folder.database)) }
            if folder.logLength > Self.logLimit { try database.emptyLog() }
        } catch {
            let fault = ListStoreError(error, path: folder.database)
            // Who holds the file lets go of it, and there is another look.
            if fault != .busy(path: folder.database) { lose(fault, database) }
        }
    }

    private func lose(_ fault: ListStoreError, _ database: ListDatabase) {
        let isNew = lastFault.withLock { last in
            defer { last = fault }
            return last != fault
        }
        guard isNew, opened.withLock({ $0 != nil }) else { return }
        events.tell(.lost(fault))
        guard fault.isLoss else { return }
        do {
            // What lies beside another file now would be taken for that one's log.
            try database.emptyLog()
        } catch {
            events.tell(.lost(ListStoreError(error, path: folder.log)))
        }
    }

    /// Reads a list, or creates an empty one in a new epoch.
    public func load(_ list: String) throws(ListStoreError) -> StoredList {
        try use { try $0.load(Key(list)) }
    }

    /// Reads the first rows of a long list by their keys.
    public func head(of list: String) throws(ListStoreError) -> ListHead? { try use { try $0.head(of: Key(list)) } }

    /// Keeps one revision of a list in one transaction, which writes only the rows that the commit names.
    public func commit(to list: String, _ change: () throws -> (commit: Commit, facts: StoredFacts)?) throws {
        var fault: (any Error)?
        try use { database in
            try database.commit(to: Key(list)) {
                do { return try change() } catch {
                    fault = error
                    return nil
                }
            }
        }
        if let fault { throw fault }
    }

    /// Writes the rows of a large commit, some milliseconds at a time.
    public func stage(_ commit: Commit, of list: String) throws(ListStoreError) -> StagedCommit {
        try use { StagedCommit(commit, .written(sum: try $0.stage(commit, of: Key(list)))) }
    }

    /// Makes the staged rows the list's.
    public func commit(_ staged: StagedCommit, facts: StoredFacts, to list: String) throws(ListStoreError) {
        guard case .written(let sum)? = staged.state else { return try commit(staged.commit, facts: facts, to: list) }
        try use { try $0.commit(staged.commit, sum: sum, facts: facts, to: Key(list)) }
    }

    /// Takes back what was staged and not committed, or forgets what it overwrote, some milliseconds at a time.
    public func finish(of list: String) throws(ListStoreError) {
        try use { try $0.finish(of: Key(list)) }
    }

    /// Keeps the facts of a list.
    public func note(_ facts: StoredFacts, of list: String) throws(ListStoreError) {
        try use { try $0.note(facts, of: Key(list)) }
    }

    /// Gives a list a new epoch.
    public func renewEpoch(of list: String) throws(ListStoreError) -> Epoch {
        try use { try $0.renewEpoch(of: Key(list)) }
    }

    /// Puts a list of another store in the place of what is here, in one transaction.
    public func replace(_ list: String, with other: StoredList) throws(ListStoreError) -> Epoch {
        try use { try $0.replace(Key(list), with: other) }
    }

    /// Closes the file, seals it and lets the folder go. If that fails, the store is closed all the same, and the next
    /// process can't vouch for the history.
    public func close() throws(ListStoreError) {
        try opened.withLock { (opened) throws(ListStoreError) in
            guard let last = opened else { return }
            opened = nil
            watch.withLock { $0?.end() }
            defer { last.lock.release() }
            do {
                try last.database.close()
                try folder.writeSeal(of: last.database.place)
            } catch {
                throw ListStoreError(error, path: folder.database)
            }
        }
    }

    /// How many rows were written since the store was opened, its own records included.
    public var rowsWritten: Int {
        get throws(ListStoreError) { try use { $0.rowsWritten } }
    }

    func use<Result>(_ body: (ListDatabase) throws -> Result) throws(ListStoreError) -> Result {
        guard let database = opened.withLock({ $0?.database }) else { throw .closed(path: folder.database) }
        do {
            return try body(database)
        } catch {
            if let error = error as? ListStoreError, error.isLoss { lose(error, database) }
            // What SQLite says of a file that was closed meanwhile is of no use to anybody.
            let isClosed = opened.withLock { $0 == nil }
            throw isClosed ? .closed(path: folder.database) : ListStoreError(error, path: folder.database)
        }
    }

    /// What is found is read first, for opening the file changes it. The seal goes before anything is acknowledged, and
    /// not before the file was opened: one that can't be, as on a full disk, keeps it.
    private static func open(
        _ folder: DataFolder, _ lock: FolderLock, boot: String?, tell: @escaping @Sendable (StoreEvent) -> Void
    ) throws -> ListDatabase {
        let header = try FileHeader(of: folder.database)
        try header?.check(path: folder.database)
        let found = History(
            seal: folder.readSeal(), file: try FileStamp(of: folder.database), hasLog: folder.hasLog, mark: lock.found,
            boot: boot)
        let database = try ListDatabase(path: folder.database, lock: lock, tell: tell)
        if let doubt = try database.begin(found) { tell(.renewed(path: folder.database, reason: doubt)) }
        try folder.removeSeal()
        try database.leaveMark()
        return database
    }
}

extension ListStoreError {
    /// Whether the file is not where it was opened.
    fileprivate var isLoss: Bool {
        switch self {
        case .replaced, .removed: true
        default: false
        }
    }
}

/// Runs a check once a second, on a thread of its own that the check may block.
final class StoreMonitor: @unchecked Sendable {
    private let condition = NSCondition()
    // Guarded by `condition`.
    private var isOver = false

    /// Starts; `look` returns whether to continue.
    init(every interval: TimeInterval = 1, look: @escaping @Sendable () -> Bool) {
        Thread.detachNewThread { [weak self] in
            while self?.wait(interval) ?? false, look() {}
        }
    }

    deinit { end() }

    /// No further look begins; one that is under way may still be.
    func end() {
        condition.withLock { isOver = true }
        condition.broadcast()
    }

    /// - Returns: whether it continues.
    private func wait(_ interval: TimeInterval) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: interval)
        while !isOver, condition.wait(until: end) {}
        return !isOver
    }
}
