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
final class FileWatcher: Sendable {
    static let shared = FileWatcher()

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
    func changes(of path: String, as kind: FollowedFile) -> AsyncStream<Void> {
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
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = pthread_create(
            &thread, nil,
            { raw in
                #if canImport(Darwin)
                    let body = Unmanaged<ThreadBody>.fromOpaque(raw).takeRetainedValue()
                #else
                    let body = Unmanaged<ThreadBody>.fromOpaque(raw!).takeRetainedValue()
                #endif
                body.run()
                return nil
            }, box.toOpaque())
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
