import WebSockets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread that some lists live on, for ever the same: their rows, their runs and their timers.
///
/// Lists keep off the concurrent pool, where a handler that blocks its thread would stop them all. A `SerialExecutor`,
/// so that a list is an actor on it. Jobs are done in the order in which they were posted; jobs posted after `stop`
/// are done by the thread that posts them, so that no task of the language's own hangs.
package final class ListThread: SerialExecutor, @unchecked Sendable {
    typealias Job = @Sendable () -> Void

    let clock: any ListClock
    private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
    private let wakeUp: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)

    // All guarded by `mutex`.
    private var jobs: [Job] = []
    private var timers: [(due: Int64, job: Job)] = []
    private var drainer: pthread_t?
    private var isStopping = false
    private var hasEnded = false
    /// Held by whoever does a job after the end, so that late jobs do not overlap either.
    private let late = Locked(())

    package init(clock: any ListClock) {
        self.clock = clock
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(wakeUp, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(wakeUp)
        mutex.deallocate()
        wakeUp.deallocate()
    }

    /// Starts the thread. It keeps this object alive until it ends.
    package func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(&thread, nil, runListThread, context)
        precondition(code == 0, "Cannot start a thread for lists: error \(code).")
        pthread_detach(thread)
    }

    /// Does what is posted already, then ends the thread. Timers are dropped.
    package func stop() {
        locked { isStopping = true }
        pthread_cond_signal(wakeUp)
    }

    /// Adds a job to the end. From any thread; never blocks for long.
    func post(_ job: @escaping Job) {
        let isLate = locked {
            if !hasEnded { jobs.append(job) }
            return hasEnded
        }
        if isLate { drainLate(job) } else { pthread_cond_signal(wakeUp) }
    }

    /// Does a job at a moment of the clock's uptime, in milliseconds, or as soon after as the thread is free.
    func schedule(at uptime: Int64, _ job: @escaping Job) {
        locked {
            let place = timers.firstIndex { $0.due > uptime } ?? timers.endIndex
            timers.insert((uptime, job), at: place)
        }
        pthread_cond_signal(wakeUp)
    }

    /// Looks at the clock again: a clock that tests advance calls this.
    package func lookAtTheClock() { pthread_cond_signal(wakeUp) }

    /// When the next timer is due (uptime); nil where none waits.
    package var nextDue: Int64? { locked { timers.first?.due } }

    fileprivate func run() {
        while let batch = nextBatch() {
            for job in batch { job() }
            locked { drainer = nil }
        }
    }

    /// Waits for jobs or timers that are due; nil when the thread is to end.
    private func nextBatch() -> [Job]? {
        locked {
            while true {
                if isStopping, jobs.isEmpty {
                    hasEnded = true
                    timers.removeAll()
                    return nil
                }
                // What is due was due before what is posted: a job that looks at the list finds it so.
                let now = clock.now.uptime
                let dueCount = timers.prefix { $0.due <= now }.count
                let batch = timers.prefix(dueCount).map(\.job) + jobs
                timers.removeFirst(dueCount)
                jobs.removeAll(keepingCapacity: true)
                if !batch.isEmpty {
                    drainer = pthread_self()
                    return batch
                }
                wait(until: timers.first?.due, now: now)
            }
        }
    }

    private func wait(until due: Int64?, now: Int64) {
        guard let due, clock.runsByItself else {
            pthread_cond_wait(wakeUp, mutex)
            return
        }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let nanoseconds = Int64(time.tv_nsec) + (due - now) * 1_000_000
        time.tv_sec += Int(nanoseconds / 1_000_000_000)
        time.tv_nsec = Int(nanoseconds % 1_000_000_000)
        pthread_cond_timedwait(wakeUp, mutex, &time)
    }

    private func drainLate(_ job: Job) {
        // A late job that posts another is on the drainer's thread already.
        if isIsolatingCurrentContext() == true { return job() }
        late.withLock { _ in
            locked { drainer = pthread_self() }
            job()
            locked { drainer = nil }
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    // MARK: SerialExecutor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        post { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func isIsolatingCurrentContext() -> Bool? {
        locked { drainer.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    package func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "A list was touched from a thread that is not its own.")
    }
}

private func runListThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<ListThread>.fromOpaque(context!).takeRetainedValue().run()
    return nil
}
