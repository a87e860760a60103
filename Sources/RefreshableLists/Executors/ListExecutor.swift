import Locking
import Synchronization
import WebSockets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The serial executor of one list: its jobs and timers, one after the other, on whichever thread of a pool is free.
///
/// Lists keep off the concurrent pool, where a handler that blocks its thread would stop them all, and off each other's
/// executors: however long a job takes, it holds up its own list alone (``ThreadPool``). Jobs are done in the order in
/// which they were posted; those posted after the pool has ended are done by the thread that posts them, so that no task
/// of the language's own hangs.
package final class ListExecutor: SerialExecutor, @unchecked Sendable {
    typealias Job = @Sendable () -> Void

    /// What waits to be done. Guarded by the pool's lock.
    struct Inbox {
        enum State {
            /// Nothing is there to be done now.
            case idle
            /// A thread is about to come.
            case queued
            case running
        }

        var state = State.idle
        var jobs: [Job] = []
        /// By their moment, the earliest first.
        var timers: [(due: Int64, job: Job)] = []
        /// When the pool will look at the timers.
        var alarm: Int64?

        /// What is to be done now, timers first: what is due was due before what is posted, so a job finds it done.
        mutating func takeBatch(now: Int64) -> [Job] {
            let dueCount = timers.prefix { $0.due <= now }.count
            guard dueCount > 0 else {
                defer { jobs = [] }
                return jobs
            }
            let batch = timers.prefix(dueCount).map(\.job) + jobs
            timers.removeFirst(dueCount)
            jobs = []
            return batch
        }
    }

    private let pool: ThreadPool
    var inbox = Inbox()
    /// The thread that does a batch, as a number; 0: none does.
    private let drainer = Atomic<UInt>(0)
    /// How many jobs were done after the end. Held by whoever does one, so that late jobs do not overlap either.
    private let late = Locked(0)

    package init(on pool: ThreadPool) { self.pool = pool }

    var clock: any ListClock { pool.clock }

    /// Adds a job to the end, or before all others. From any thread; never blocks for long.
    func post(first isFirst: Bool = false, _ job: @escaping Job) {
        if !pool.post(job, to: self, first: isFirst) { drainLate(job) }
    }

    /// Does a job at a moment of the clock's uptime, in milliseconds, or as soon after as a thread is free.
    func schedule(at uptime: Int64, _ job: @escaping Job) { pool.schedule(at: uptime, job, on: self) }

    /// Looks at the clock again: a clock that tests advance calls this.
    package func lookAtTheClock() { pool.lookAtTheClock(for: self) }

    /// When the next timer is due (uptime); nil where none waits.
    package var nextDue: Int64? { pool.nextDue(of: self) }

    /// Does a batch, on a thread of the pool.
    func drain(_ batch: [Job]) {
        drainer.store(Self.currentThread, ordering: .releasing)
        for job in batch { job() }
        drainer.store(0, ordering: .releasing)
    }

    private func drainLate(_ job: @escaping Job) {
        // A late job that posts another is on the drainer's thread already.
        if isIsolatingCurrentContext() == true { return job() }
        late.withLock { count in
            count += 1
            drain([job])
        }
    }

    private static var currentThread: UInt { UInt(pthread_self()) }

    // MARK: SerialExecutor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        post { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func isIsolatingCurrentContext() -> Bool? {
        // No other thread ever stores this thread's number.
        drainer.load(ordering: .acquiring) == Self.currentThread
    }

    package func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "A list was touched from a thread that is not its own.")
    }
}

/// Where handlers run, and with them the reading of sources: on threads of their own, of which there are more while some are
/// blocked or reckon for long (``ThreadPool``).
///
/// So one that parses a million rows, or calls a function that blocks, holds up no other; the pool of the language has as
/// many threads as there are processors, and never more.
final class HandlerExecutor: TaskExecutor {
    /// One for the whole process.
    static let shared = HandlerExecutor()

    private let pool = ThreadPool(clock: SystemClock())

    private init() { pool.start() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Jobs of one task never overlap, and those of several need not wait for each other.
        ListExecutor(on: pool).post { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread for one long computation, which yields to more urgent work.
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

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Tells a list the time. Tests have one that they advance.
package protocol ListClock: Sendable {
    var now: Moment { get }
    /// Whether time passes by itself.
    var runsByItself: Bool { get }
}

/// The machine's own clocks.
struct SystemClock: ListClock {
    let runsByItself = true
    var now: Moment { Moment(uptime: read(CLOCK_MONOTONIC), date: read(CLOCK_REALTIME)) }

    private func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A point in time as a list needs it: a monotonic reading, and the date that people are shown.
package struct Moment: Hashable, Sendable {
    /// Milliseconds on a clock that never goes back and stands for nothing outside this process.
    package var uptime: Int64
    /// Milliseconds since 1970.
    package var date: Int64

    package init(uptime: Int64, date: Int64) {
        self.uptime = uptime
        self.date = date
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// For messages: `30 s`, `700 ms`.
    var words: String { milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms" }
}
