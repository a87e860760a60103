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
