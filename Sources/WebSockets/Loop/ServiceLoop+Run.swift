import CLibwebsockets
import Synchronization

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
