import CPlatform
import Locking

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Looks after files for the whole process, on one thread.
///
/// ```
///   something happens in a folder (inotify) ─▶ 50 ms ─▶ which file has another stamp, and nobody writes it? ─▶ its follower
///   every 5 s ───────────────────────────────────────▲
/// ```
///
/// What is watched is the folder, so it does not matter how a file is replaced; what decides is the file's stamp. The
/// look every 5 s is for what inotify does not hear: network file systems, folders that come later, links elsewhere.
/// While a change waits for the end of a transaction that inotify does not hear, there is a look every 50 ms.
package final class FileWatcher: Sendable {
    package static let shared = FileWatcher()

    private struct State {
        var followers: [Int: Follower] = [:]
        var next = 0
        /// From inotify_init1(2), for the life of the process; nil until the first follower, and where there is none.
        var notifier: Int32?
        var isRunning = false
    }

    private struct Follower {
        let path: String
        let kind: FollowedFile
        let tell: AsyncStream<Void>.Continuation
        var stamps: [FileStamp?]
        /// What inotify calls the watch of the folder.
        var watch: Int32?
    }

    /// In milliseconds: programs that save a file do several things to its folder.
    private static let pause: Int32 = 50
    /// In milliseconds.
    private static let interval: Int32 = 5000

    private let state = Locked(State())

    /// Elements for changes of a file from now on.
    package func changes(of path: String, as kind: FollowedFile) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let notifier = state.withLock { start(&$0) }
        // The watch before the look, so that no change falls between; both outside of the lock, as they may take long.
        let watch = notifier.flatMap { FolderNotifier.watch(folderOf: kind.place(of: path), $0) }
        let stamps = kind.stamps(of: path)
        let follower = Follower(
            path: path, kind: kind, tell: continuation,
            stamps: kind.writing(of: path) == .unheard ? [] : stamps, watch: watch)
        let number = state.withLock { state in
            state.next += 1
            state.followers[state.next] = follower
            return state.next
        }
        continuation.onTermination = { [self] _ in state.withLock { Self.remove(number, from: &$0) } }
        return stream
    }

    private static func remove(_ number: Int, from state: inout State) {
        guard let follower = state.followers.removeValue(forKey: number), let watch = follower.watch,
            let notifier = state.notifier, !state.followers.values.contains(where: { $0.watch == watch })
        else { return }
        FolderNotifier.stop(watch, notifier)
    }

    /// The notifier. The thread begins with the first follower.
    private func start(_ state: inout State) -> Int32? {
        guard !state.isRunning else { return state.notifier }
        state.isRunning = true
        state.notifier = FolderNotifier.make()
        Self.beginThread { [self, notifier = state.notifier] in
            var isAwaitingWriter = false
            while true {
                if FolderNotifier.wait(notifier, milliseconds: isAwaitingWriter ? Self.pause : Self.interval) {
                    poll(nil, 0, Self.pause)
                    FolderNotifier.drain(notifier)
                }
                isAwaitingWriter = look()
            }
        }
        return state.notifier
    }

    /// Tells the followers of files that are others now. The file system is asked outside of the lock.
    ///
    /// - Returns: whether one is another, but who writes it ends that unheard.
    private func look() -> Bool {
        var isAwaitingWriter = false
        let followers = state.withLock { $0.followers }
        for (number, follower) in followers {
            let stamps = follower.kind.stamps(of: follower.path)
            let place = follower.kind.place(of: follower.path)
            let watch = state.withLock { $0.notifier }.flatMap { FolderNotifier.watch(folderOf: place, $0) }
            // In this order: a change that ended before nobody wrote is one of these stamps.
            let writing = stamps == follower.stamps ? nil : follower.kind.writing(of: follower.path)
            let isOther = writing == .nobody
            if writing == .unheard { isAwaitingWriter = true }
            state.withLock { state in
                state.followers[number]?.watch = watch
                // Another change within the same tick of the clock would have the same stamp: then it is told twice.
                if isOther { state.followers[number]?.stamps = FileStamp.haveRested(stamps) ? stamps : [] }
            }
            if isOther { follower.tell.yield() }
        }
        return isAwaitingWriter
    }

    private static func beginThread(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(ThreadBody(run: body))
        let status = shim_start_thread(
            { argument in
                Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, box.toOpaque(), 8 << 20)
        precondition(status == 0, "pthread_create failed with \(status): the system has no thread left.")
    }
}

/// What a thread does, as pthread_create(3) can hand it over.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The state of one watched file: its last version, and whether it is whole.
package enum FollowedFile {
    /// Whoever writes it closes it.
    case whole
    /// Others add to it all the time, and never close it.
    case growing
    /// A SQLite database, whose transactions are written to other files first: https://www.sqlite.org/tempfiles.html
    case database

    /// Whether a process is writing it.
    enum Writing: Hashable {
        case nobody
        /// What ends that happens in the folder.
        case heard
        /// What ends that happens nowhere in the file system.
        case unheard
    }

    /// What distinguishes one state of it from another.
    package func stamps(of path: String) -> [FileStamp?] {
        guard self == .database else { return [FileStamp(path: path)] }
        let place = place(of: path)
        // A reader may leave an empty log behind, which tells nothing.
        let log = FileStamp(path: "\(place)-wal").flatMap { $0.size > 0 ? $0 : nil }
        return [FileStamp(path: place), log, Self.hasJournal(place) ? FileStamp(path: "\(place)-journal") : nil]
    }

    /// Whether it is whole at the moment.
    func writing(of path: String) -> Writing {
        switch self {
        case .whole: return Self.hasWriter(path) ? .heard : .nobody
        case .growing: return .nobody
        case .database:
            let place = place(of: path)
            return Self.hasJournal(place) ? .heard : SQLiteLogLock.isHeld(on: place) ? .unheard : .nobody
        }
    }

    /// The files to watch. SQLite resolves links before it looks for the files beside a database.
    func place(of path: String) -> String {
        guard self == .database, let place = realpath(path, nil) else { return path }
        defer { free(place) }
        return String(cString: place)
    }

    private static func hasWriter(_ path: String) -> Bool {
        guard let stamp = FileStamp(path: path), stamp.isRegular else { return false }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        return FileWriters.of(file) == .some
    }

    /// Whether a rollback journal is in use. One that is kept for later begins with zeros, or is empty:
    /// https://www.sqlite.org/pragma.html#pragma_journal_mode
    private static func hasJournal(_ place: String) -> Bool {
        let file = open("\(place)-journal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var first: UInt8 = 0
        return read(file, &first, 1) == 1 && first != 0
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Notifications of changes in a folder by inotify(7). Elsewhere than on Linux there are none.
enum FolderNotifier {
    /// A descriptor that is never closed; nil if none is available.
    static func make() -> Int32? {
        #if os(Linux)
            let notifier = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            return notifier >= 0 ? notifier : nil
        #else
            return nil
        #endif
    }

    /// Begins to hear of the folder that a file is in, or is to be in; nil where there is no such folder. The same
    /// folder is the same watch.
    static func watch(folderOf path: String, _ notifier: Int32) -> Int32? {
        #if os(Linux)
            let folder = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
            let events =
                IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
            let watch = inotify_add_watch(notifier, folder, UInt32(events))
            return watch >= 0 ? watch : nil
        #else
            return nil
        #endif
    }

    /// Stops watching a folder.
    static func stop(_ watch: Int32, _ notifier: Int32) {
        #if os(Linux)
            // EINVAL says that the folder is gone, and its watch with it.
            _ = inotify_rm_watch(notifier, watch)
        #endif
    }

    /// Waits until something happened; false: nothing did for so long.
    static func wait(_ notifier: Int32?, milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: notifier ?? -1, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) > 0
    }

    /// Forgets what happened: which file it was is seen by looking.
    static func drain(_ notifier: Int32?) {
        guard let notifier else { return }
        var events = [UInt8](repeating: 0, count: 1 << 14)
        while events.withUnsafeMutableBytes({ read(notifier, $0.baseAddress, $0.count) }) > 0 {}
    }
}
