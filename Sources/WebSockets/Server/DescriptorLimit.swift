import CLibuv
import CLibwebsockets

/// How many descriptors this process may have (getrlimit(2), RLIMIT_NOFILE).
enum DescriptorLimit {
    /// Left for files, timers, loops and what else is not a connection.
    private static let reserve = 256
    /// What a program may have open beside a server's connections; where it has more, accepting rests.
    private static let others = 8192
    /// Held, against the rule, while loops are made: some milliseconds, for which only another server that is made waits.
    private static let isLowered = Locked(false)

    /// How many there may be now.
    static var allowed: Int { limit.map { Int(clamping: $0.rlim_cur) } ?? .max }

    /// Nil where the system does not say.
    private static var limit: rlimit? {
        var limit = rlimit()
        return shim_descriptor_limit(&limit) == 0 ? limit : nil
    }

    /// How many connections there may be at a time: as many as are wanted, or as many as the system allows. Raises the soft
    /// limit towards the hard one, if that is needed; to be called before loops are made, which note it.
    static func room(for connections: Int) -> Int {
        guard var limit else { return connections }
        let wanted = rlim_t(connections + reserve)
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = min(wanted, limit.rlim_max)
            if shim_set_descriptor_limit(&raised) == 0 { limit = raised }
        }
        guard limit.rlim_cur < wanted else { return connections }
        let allowed = Int(limit.rlim_cur)
        return min(connections, max(1, allowed - min(reserve, allowed / 4)))
    }

    /// Below it are the descriptors of all connections of a server that may have so many.
    static func ceiling(for connections: Int) -> Int { connections + others }

    /// Runs `body` while the process may have no more than `count` descriptors; then it may have as many as before.
    ///
    /// A libwebsockets context has a place for each descriptor that its process may have when it is made, and Debian's builds
    /// look through all of them whenever a connection comes or goes, as their assertions are on. Docker allows 1,048,576.
    static func limited<Result, Failure: Error>(
        to count: Int, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try isLowered.withLock { (isLowered: inout Bool) throws(Failure) -> Result in
            guard var limit, limit.rlim_cur > rlim_t(count) else { return try body() }
            var lower = limit
            lower.rlim_cur = rlim_t(count)
            isLowered = shim_set_descriptor_limit(&lower) == 0
            defer { if isLowered { isLowered = shim_set_descriptor_limit(&limit) != 0 } }
            return try body()
        }
    }
}
