#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// inotify(7): hears that something happened in a folder. Elsewhere than on Linux it hears nothing.
enum FolderNotifier {
    /// A descriptor that is never closed; nil where there is none to be had.
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

    /// No longer hears of a folder.
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
