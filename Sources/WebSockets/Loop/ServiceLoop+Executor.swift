extension ServiceLoop: SerialExecutor, TaskExecutor {
    /// Called by the Swift runtime: the job runs on the loop's thread, in order with what is posted.
    public func enqueue(_ job: consuming ExecutorJob) {
        put(.job(UnownedJob(job)))
    }

    /// Called by the Swift runtime.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Called by the Swift runtime.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    /// Makes `assumeIsolated` work in callbacks: isolation is the thread now draining, whichever it is.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Traps off the loop's thread.
    public func checkIsolated() { preconditionCurrent() }
}
