#if os(Linux)
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The init process of a container that has no other.
    ///
    /// Whoever loses its parent becomes a child of the first process, which has to ask for its status once it ends, or a
    /// little of it stays for ever; commands leave such orphans. So `refreshable` starts itself once more as its only real
    /// child, hands on the signals it gets, asks after all that ends, and ends as that child did.
    enum InitProcess {
        private static let handedOn = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

        /// Returns at once in any process but the first, where it never returns.
        ///
        /// To be called before there is a second thread, as that would hear the signals.
        static func runIfFirst() {
            guard getpid() == 1 else { return }
            var waited = sigset_t()
            var before = sigset_t()
            sigemptyset(&waited)
            for signal in handedOn + [SIGCHLD] { sigaddset(&waited, signal) }
            pthread_sigmask(SIG_BLOCK, &waited, &before)
            let child = startAgain(mask: before)
            while true {
                var signal = siginfo_t()
                guard sigwaitinfo(&waited, &signal) > 0 else { continue }
                if signal.si_signo == SIGCHLD {
                    if let status = reap(until: child) { exit(status) }
                } else if signal.si_code != sentByKernel {
                    // What the kernel sends comes from a terminal, which has told the child as well.
                    kill(child, signal.si_signo)
                }
            }
        }

        /// `SI_KERNEL` of asm-generic/siginfo.h, a macro that Swift does not import.
        private static let sentByKernel: Int32 = 0x80

        private static func startAgain(mask: sigset_t) -> pid_t {
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            var mask = mask
            posix_spawnattr_setsigmask(&attributes, &mask)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
            var child: pid_t = 0
            let status = posix_spawn(&child, "/proc/self/exe", nil, &attributes, CommandLine.unsafeArgv, environ)
            guard status == 0 else {
                Console.warn(
                    "Cannot start beside process 1: \(String(cString: strerror(status))). Start it with an init.")
                exit(1)
            }
            return child
        }

        /// Asks after all that have ended.
        ///
        /// - Returns: the status to end with, once the child has: its own, or 128 and the signal that ended it.
        private static func reap(until child: pid_t) -> Int32? {
            var status: Int32 = 0
            while true {
                let ended = waitpid(-1, &status, WNOHANG)
                if ended == child { return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F }
                if ended <= 0 { return nil }
            }
        }
    }
#endif

// `environ` is a variable of the C library; nobody here changes it.
#if canImport(Darwin)
    @preconcurrency import Darwin
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Glibc
#endif

/// The environment of this process, without Foundation.
enum EnvironmentVariables {
    /// Those of ours.
    static var all: [String: String] {
        // What a settings file may have, too; and what is for the command line alone.
        let names = ServeSettings.Name.allCases.map(\.variable) + ["LISTS", "TOKEN", "URL", "CA_FILE"]
        return Dictionary(
            uniqueKeysWithValues: names.map { "REFRESHABLE_\($0)" }.compactMap { name in
                value(of: name).map { (name, $0) }
            })
    }

    /// Any other.
    static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// All there are, by name. Read once, at the first use.
    static let every: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let text = next.pointee {
            let line = String(cString: text)
            if let sign = line.firstIndex(of: "="), sign > line.startIndex {
                variables[String(line[..<sign])] = String(line[line.index(after: sign)...])
            }
            next += 1
        }
        return variables
    }()
}
