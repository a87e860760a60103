public import KeyedLists

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
/// After a start that did not follow a clean close, the file is checked in the background, and lists wait for that when
/// they are loaded. Otherwise nobody waits for a list of somebody else's.
public final class SQLiteStore: ListStore {
    /// What is held while the store is open.
    private struct Opened {
        let database: ListDatabase
        let lock: FolderLock
    }

    private let folder: DataFolder
    private let opened: Locked<Opened?>

    /// Opens the store in a folder, and creates both where there are none; the folder is then for this user alone.
    ///
    /// Lists are read when they are loaded, so this takes the same time whatever there is.
    public convenience init(folder: String) throws(ListStoreError) {
        try self.init(folder: folder, boot: BootID.current())
    }

    /// Opens the store as if the machine's boot had that name.
    init(folder path: String, boot: String?) throws(ListStoreError) {
        let folder = DataFolder(path: path)
        try folder.create()
        let lock = try FolderLock(folder)
        do {
            opened = Locked(Opened(database: try SQLiteStore.open(folder, lock, boot: boot), lock: lock))
        } catch {
            throw ListStoreError(error, path: folder.database)
        }
        self.folder = folder
    }

    /// Reads a list, or creates an empty one in a new epoch.
    public func load(_ list: String) throws(ListStoreError) -> StoredList {
        try use { try $0.load(Key(list)) }
    }

    /// Keeps one revision of a list in one transaction, which writes only the rows that the commit names.
    public func commit(_ commit: Commit, facts: StoredFacts, to list: String) throws(ListStoreError) {
        try use { try $0.commit(commit, facts: facts, to: Key(list)) }
    }

    /// Keeps the facts of a list.
    public func note(_ facts: StoredFacts, of list: String) throws(ListStoreError) {
        try use { try $0.note(facts, of: Key(list)) }
    }

    /// Gives a list a new epoch.
    public func renewEpoch(of list: String) throws(ListStoreError) -> Epoch {
        try use { try $0.renewEpoch(of: Key(list)) }
    }

    /// Closes the file, seals it and lets the folder go. If that fails, the store is closed all the same, and the next
    /// process can't vouch for the history.
    public func close() throws(ListStoreError) {
        try opened.withLock { (opened) throws(ListStoreError) in
            guard let last = opened else { return }
            opened = nil
            defer { last.lock.release() }
            do {
                try last.database.close()
                try folder.writeSeal()
            } catch {
                throw ListStoreError(error, path: folder.database)
            }
        }
    }

    /// How many rows were written since the store was opened, its own records included.
    public var rowsWritten: Int {
        get throws(ListStoreError) { try use { $0.rowsWritten } }
    }

    private func use<Result>(_ body: (ListDatabase) throws -> Result) throws(ListStoreError) -> Result {
        guard let database = opened.withLock({ $0?.database }) else { throw .closed(path: folder.database) }
        do {
            return try body(database)
        } catch {
            // What SQLite says of a file that was closed meanwhile is of no use to anybody.
            let isClosed = opened.withLock { $0 == nil }
            throw isClosed ? .closed(path: folder.database) : ListStoreError(error, path: folder.database)
        }
    }

    /// What is found is read first, for opening the file changes it. The seal goes before anything is acknowledged, and
    /// not before the file was opened: one that can't be, as on a full disk, keeps it.
    private static func open(_ folder: DataFolder, _ lock: FolderLock, boot: String?) throws -> ListDatabase {
        let header = try FileHeader(of: folder.database)
        try header?.check(path: folder.database)
        let found = History(
            seal: folder.readSeal(), file: try FileStamp(of: folder.database), hasLog: folder.hasLog, mark: lock.found,
            boot: boot)
        let database = try ListDatabase(path: folder.database, lock: lock)
        guard let stamp = try FileStamp(of: folder.database) else {
            throw ListStoreError.cannotOpen(path: folder.database, reason: "the file vanished while it was opened")
        }
        try database.begin(found, inode: stamp.inode)
        try folder.removeSeal()
        database.leaveMark()
        return database
    }
}
