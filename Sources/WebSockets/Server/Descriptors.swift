import CLibuv
import CLibwebsockets

/// How many descriptors this process may have (getrlimit(2), RLIMIT_NOFILE).
enum Descriptors {
    /// Left for files, timers, loops and what else is not a connection.
    private static let reserve = 256

    /// How many connections there may be at a time: as many as are wanted, or as many as the system allows. Raises the soft
    /// limit towards the hard one, if that is needed; to be called before loops are made, which note it.
    static func room(for connections: Int) -> Int {
        var limit = rlimit()
        guard shim_descriptor_limit(&limit) == 0 else { return connections }
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
}
