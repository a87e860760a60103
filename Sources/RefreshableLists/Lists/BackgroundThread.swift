import WebSockets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread for one piece of work that takes long, which gives way to those that people wait for.
enum BackgroundThread {
    static func run(_ body: @escaping @Sendable () -> Void) {
        spawnThread {
            #if os(Linux)
                // setpriority(2): PRIO_PROCESS, which is 0, and on Linux the calling thread alone.
                _ = setpriority(0, 0, 10)
            #endif
            body()
        }
    }
}
