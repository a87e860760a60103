import CLibuv
import CLibwebsockets
import CPlatform
import Locking
package import Logging
import Synchronization

/// One thread with its own event loop (libuv) and its own libwebsockets context: it owns sockets.
///
/// Everything about a socket happens on its loop's thread. Other threads reach it by `post`, which keeps order, or as a
/// `SerialExecutor`: an actor that has the loop as its executor runs on this thread and may touch sockets directly.
///
/// ```
/// any thread ── post, await ──▶ mailbox ──┐
/// sockets ── epoll ──▶ libwebsockets ─────┼──▶ the thread: one thing after another
/// timers ─────────────────────────────────┘
/// ```
package final class ServiceLoop: Sendable {
    /// For logs; also the thread's name (its first 15 bytes).
    package let name: String
    let logger: Logger
    let network: NetworkContext
    let counter = LoopCounter()
    let writableSockets = WritableSockets()
    /// The thread now draining: the loop's own, or the one that runs what came after its end; 0: none.
    let drainer = Atomic<UInt>(0)
    let mailbox = Locked(Mailbox())
    let life = Locked(Life())

    /// Makes a loop that does not run yet; `post` and `await` may be used already.
    package convenience init(
        name: String, logger: Logger = .quiet
    ) throws(SocketError) {
        try self.init(name: name, settings: NetworkSettings(), logger: logger)
    }

    init(name: String, settings: NetworkSettings, logger: Logger) throws(SocketError) {
        self.name = name
        self.logger = logger
        network = try NetworkContext(settings: settings)
        network.onWake = { [unowned self] in drain() }
    }

    /// The number of loops that uses all processors available to this process.
    package static var coreCount: Int { Int(shim_core_count()) }

    /// Whether the caller is on this loop's thread (or on the one that runs what came after its end).
    package var isCurrent: Bool {
        drainer.load(ordering: .acquiring) == currentThread()
    }

    /// Starts the thread. Once.
    package func start() {
        life.withLock { life in
            precondition(life.phase == .made, "A ServiceLoop can be started only once.")
            life.phase = .running
        }
        spawnThread { [self] in run() }
    }

    /// Runs `job` on the loop's thread, after everything posted before it. From any thread; never blocks.
    ///
    /// Before the start it waits; after the end it still runs, on a thread made for it.
    package func post(_ job: @escaping @Sendable () -> Void) {
        put(.closure(job))
    }

    /// Runs `body` on the loop's thread after at least `delay` (rounded up to milliseconds).
    ///
    /// On the loop's thread only. O(log n); cancelling too.
    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> LoopTimer {
        preconditionCurrent()
        return network.schedule(after: delay, body)
    }

    /// What it has done, and what it holds, now. On the loop's thread only; a copy.
    package var statistics: LoopStatistics {
        preconditionCurrent()
        return counter.statistics
    }

    /// Processor time that the loop's thread has used. On that thread only.
    package var processorTime: Duration {
        preconditionCurrent()
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Ends the loop, all its sockets without ceremony, and its thread; returns when they are gone.
    ///
    /// Must not be awaited on the loop itself. A second call waits for the same end.
    package func stop() async {
        await withCheckedContinuation { continuation in
            let phase = life.withLock { life in
                defer { if life.phase != .ended { life.waiters.append(continuation) } }
                return life.phase
            }
            switch phase {
            case .made: start(); post { [self] in network.stop() }
            case .running: post { [self] in network.stop() }
            case .ended: continuation.resume()
            }
        }
    }

    /// Ends the loop without waiting, for an owner that is going away.
    func endSoon() {
        guard life.withLock({ $0.phase == .running }) else { return }
        post { [network] in network.stop() }
    }

    func preconditionCurrent() {
        precondition(isCurrent, "This belongs to the loop \(name): call it on its thread, or post to it.")
    }

    func put(_ entry: Mailbox.Entry) {
        let isLate = mailbox.withLock { mailbox in
            let duty = mailbox.post(entry)
            // Under the lock: the handle lives until the loop has taken the lock to end the box.
            if duty == .wakeLoop { network.wake() }
            return duty == .drainLate
        }
        if isLate { spawnThread { [self] in drainLate() } }
    }
}

extension ServiceLoop {
    /// Where a loop is in its life; who waits for its end.
    struct Life {
        enum Phase { case made, running, ended }
        var phase = Phase.made
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
}

extension ServiceLoop {
    /// The life of the thread: what was posted before the start, the loop until it is stopped, what is left over.
    func run() {
        shim_name_thread(name)
        drainer.store(currentThread(), ordering: .releasing)
        drain()
        network.run()
        // First: what is posted from now on must not wake a handle that is being destroyed.
        mailbox.withLock { $0.end() }
        network.destroy()
        drainLate()
        end()
    }

    func drain() {
        for entry in mailbox.withLock({ $0.take() }) { perform(entry) }
    }

    /// Runs entries that came after the end. Their thread is the isolation then.
    func drainLate() {
        drainer.store(currentThread(), ordering: .releasing)
        while true {
            let entries = mailbox.withLock { mailbox in
                let entries = mailbox.takeLate()
                // Given up under the lock: the next late thread takes it up after this.
                if entries.isEmpty { drainer.store(0, ordering: .releasing) }
                return entries
            }
            guard !entries.isEmpty else { return }
            for entry in entries { perform(entry) }
        }
    }

    private func end() {
        let waiters = life.withLock { life in
            life.phase = .ended
            defer { life.waiters = [] }
            return life.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func perform(_ entry: Mailbox.Entry) {
        switch entry {
        case .closure(let closure): closure()
        case .job(let job):
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }
}

extension ServiceLoop: SerialExecutor, TaskExecutor {
    /// Called by the Swift runtime: the job runs on the loop's thread, in order with what is posted.
    package func enqueue(_ job: consuming ExecutorJob) {
        put(.job(UnownedJob(job)))
    }

    /// Called by the Swift runtime.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Called by the Swift runtime.
    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Makes `assumeIsolated` work in callbacks: isolation is the thread now draining, whichever it is.
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Traps off the loop's thread.
    package func checkIsolated() { preconditionCurrent() }
}
