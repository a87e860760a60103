import CPlatform
import DequeModule
import WebSockets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The threads that lists' executors are run by: a few, and more for as long as those are all at work.
///
/// ```
/// post ──▶ executor ──▶ ready: executors that nobody runs yet ──▶ worker, worker, …
///                              │ the first has waited for 10 ms, and none was taken meanwhile
///                              └──▶ watcher: adds a worker, which ends once it has rested for a second
/// ```
/// So no list waits for another's work, be it a computation or a disk, and none has to cut its work into slices. The
/// watcher also keeps the time for all timers.
package final class ThreadPool: @unchecked Sendable {
    /// How long an executor waits for a thread, and all before it with it, before one is added, in nanoseconds.
    private static let patience: Int64 = 10_000_000
    /// How often a thread is added where they are taken, and too slowly: some threads may be blocked. In nanoseconds.
    private static let growth: Int64 = 50_000_000
    /// How long a thread that was added rests before it ends, in nanoseconds.
    private static let rest: Int64 = 1_000_000_000
    /// More would hold up each other.
    private static let mostThreads = 256

    let clock: any ListClock
    private let usualCount: Int
    private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
    private let work = Condition()
    private let watch = Condition()

    // All guarded by `mutex`.
    /// Executors with something to do and no thread, since when (nanoseconds), and how many had been taken by then.
    private var ready: Deque<(executor: ListExecutor, since: Int64, taken: Int)> = []
    private var takenCount = 0
    /// When a thread was added last (nanoseconds).
    private var addedAt: Int64 = 0
    /// When an executor has to be looked at again, the earliest last. One that has changed its mind is looked at in vain.
    private var alarms: [(due: Int64, executor: ListExecutor)] = []
    private var threadCount = 0
    private var restingCount = 0
    /// The watcher looks by itself then (nanoseconds); `.max`: when it is woken.
    private var watchesAt = Int64.max
    private var isStopping = false
    private var hasEnded = false

    /// - Parameter threads: as many as there are from the beginning to the end.
    package init(clock: any ListClock, threads: Int = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
        self.clock = clock
        usualCount = threads
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Starts the threads. They keep this object alive until they end.
    package func start() {
        locked { for _ in 0..<usualCount { addWorker() } }
        spawnThread { self.watchOver() }
    }

    /// Does what is posted already, even if nothing has started it, then ends the threads. Timers are dropped.
    package func stop() {
        locked {
            isStopping = true
            if threadCount == 0, !hasEnded { addWorker() }
        }
        work.wakeAll()
        watch.wakeAll()
    }

    /// How many there are now.
    var threads: Int { locked { threadCount } }

    // MARK: For executors

    /// Adds a job; false once there are no threads any more.
    func post(_ job: @escaping ListExecutor.Job, to executor: ListExecutor, first isFirst: Bool = false) -> Bool {
        locked {
            guard !hasEnded else { return false }
            executor.inbox.jobs.insert(job, at: isFirst ? 0 : executor.inbox.jobs.endIndex)
            if executor.inbox.state == .idle { makeReady(executor) }
            return true
        }
    }

    func schedule(at uptime: Int64, _ job: @escaping ListExecutor.Job, on executor: ListExecutor) {
        locked {
            guard !hasEnded else { return }
            let place = executor.inbox.timers.firstIndex { $0.due > uptime } ?? executor.inbox.timers.endIndex
            executor.inbox.timers.insert((uptime, job), at: place)
            if place == 0, executor.inbox.state != .running { setAlarm(for: executor) }
        }
    }

    func lookAtTheClock(for executor: ListExecutor) {
        locked { if executor.inbox.state == .idle { readyIfDue(executor, now: clock.now.uptime) } }
    }

    func nextDue(of executor: ListExecutor) -> Int64? { locked { executor.inbox.timers.first?.due } }

    // MARK: Under the lock

    private func makeReady(_ executor: ListExecutor) {
        executor.inbox.state = .queued
        ready.append((executor, Self.now, takenCount))
        // Each thread that rests will take one of them.
        if ready.count <= restingCount { work.wakeOne() } else { wakeWatcher(before: Self.now + Self.patience) }
    }

    private func readyIfDue(_ executor: ListExecutor, now: Int64) {
        guard let due = executor.inbox.timers.first?.due else { return }
        if due <= now { makeReady(executor) } else { setAlarm(for: executor) }
    }

    private func setAlarm(for executor: ListExecutor) {
        guard clock.runsByItself, let due = executor.inbox.timers.first?.due else { return }
        if let alarm = executor.inbox.alarm, alarm <= due { return }
        executor.inbox.alarm = due
        let place = alarms.partitioningIndex { $0.due <= due }
        // One that an earlier moment has overtaken may still be there.
        guard !alarms[place...].prefix(while: { $0.due == due }).contains(where: { $0.executor === executor }) else {
            return
        }
        alarms.insert((due, executor), at: place)
        wakeWatcher(before: Self.now + max(0, due - clock.now.uptime) * 1_000_000)
    }

    private func wakeWatcher(before moment: Int64) {
        guard moment < watchesAt else { return }
        watchesAt = moment
        watch.wakeOne()
    }

    private func addWorker() {
        threadCount += 1
        spawnThread { self.labour() }
    }

    // MARK: The threads

    /// Takes executors in the order in which they became ready, and does with each all that it has to do.
    private func labour() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let (executor, _, _) = ready.popFirst() {
                takenCount += 1
                run(executor)
            } else if isStopping || !rest() {
                break
            }
        }
        threadCount -= 1
        if isStopping, threadCount == 0 {
            hasEnded = true
            alarms = []
        }
    }

    private func run(_ executor: ListExecutor) {
        executor.inbox.state = .running
        let batch = executor.inbox.takeBatch(now: clock.now.uptime)
        pthread_mutex_unlock(mutex)
        executor.drain(batch)
        pthread_mutex_lock(mutex)
        executor.inbox.state = .idle
        guard executor.inbox.jobs.isEmpty else {
            // Behind those that have waited; this thread takes the first of them, so no other is woken.
            executor.inbox.state = .queued
            ready.append((executor, Self.now, takenCount))
            return
        }
        readyIfDue(executor, now: clock.now.uptime)
    }

    /// Waits for something to do; false where this thread was added and is not needed any more.
    private func rest() -> Bool {
        restingCount += 1
        defer { restingCount -= 1 }
        let end = threadCount > usualCount ? Self.now + Self.rest : .max
        work.wait(mutex, until: end)
        return !ready.isEmpty || isStopping || threadCount <= usualCount || Self.now < end
    }

    private func watchOver() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isStopping {
            let alarm = ringAlarms()
            let backlog = addWorkerIfNeeded()
            watchesAt = min(alarm, backlog)
            watch.wait(mutex, until: watchesAt)
        }
    }

    /// Moves due jobs to the ready queue, and returns when the next is due.
    private func ringAlarms() -> Int64 {
        let now = clock.now.uptime
        while let last = alarms.last, last.due <= now {
            alarms.removeLast()
            if last.executor.inbox.alarm == last.due { last.executor.inbox.alarm = nil }
            if last.executor.inbox.state == .idle { readyIfDue(last.executor, now: now) }
        }
        return alarms.last.map { Self.now + ($0.due - now) * 1_000_000 } ?? .max
    }

    /// Adds a thread where an executor has waited for too long, and says when to look again. Many that are taken one after the
    /// other need no more threads: these would wait for the processors instead.
    private func addWorkerIfNeeded() -> Int64 {
        guard ready.count > restingCount, let oldest = ready.first else { return .max }
        let now = Self.now
        guard now >= oldest.since + Self.patience else { return oldest.since + Self.patience }
        let isStalled = oldest.taken == takenCount
        ready[ready.startIndex].taken = takenCount
        let isTooSlow = now >= max(oldest.since, addedAt) + Self.growth
        if isStalled || isTooSlow, threadCount < Self.mostThreads {
            addedAt = now
            addWorker()
        }
        return now + Self.patience
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// The machine's own monotonic clock, whatever clock the lists go by: nanoseconds.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A `pthread_cond_t` by the monotonic clock.
private final class Condition: @unchecked Sendable {
    private let condition: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)

    init() {
        let status = shim_make_condition(condition)
        precondition(status == 0, "pthread_cond_init failed with \(status).")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    func wakeOne() { pthread_cond_signal(condition) }
    func wakeAll() { pthread_cond_broadcast(condition) }

    /// - Parameter end: in nanoseconds; `.max`: for ever.
    func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, until end: Int64) {
        guard end < .max else {
            pthread_cond_wait(condition, mutex)
            return
        }
        shim_wait(condition, mutex, end)
    }
}

extension [(due: Int64, executor: ListExecutor)] {
    /// Where those begin that fulfil a condition; all before do not.
    fileprivate func partitioningIndex(where isRight: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isRight(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
