import Foundation
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// Each executor does one thing after the other, and none waits for what another does.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1)))
struct ThreadPoolTests {
    private let clock = SettableClock()

    private func withPool(_ threads: Int = 1, _ body: (ThreadPool) throws -> Void) rethrows {
        let pool = ThreadPool(clock: clock, threads: threads)
        pool.start()
        defer { pool.stop() }
        try body(pool)
    }

    /// Waits until everything posted before was done.
    private func settle(_ executor: ListExecutor) {
        let done = DispatchSemaphore(value: 0)
        executor.post { done.signal() }
        done.wait()
    }

    @Test(arguments: [1, 5]) func aJobThatBlocksHoldsUpItsOwnListAlone(blocked: Int) {
        withPool { pool in
            let gate = DispatchSemaphore(value: 0)
            let busy = (0..<blocked).map { _ in ListExecutor(on: pool) }
            for executor in busy { executor.post { gate.wait() } }

            settle(ListExecutor(on: pool))

            for executor in busy {
                gate.signal()
                settle(executor)
            }
        }
    }

    @Test func threadsThatWereAddedEnd() {
        withPool { pool in
            let gate = DispatchSemaphore(value: 0)
            let busy = ListExecutor(on: pool)
            busy.post { gate.wait() }
            settle(ListExecutor(on: pool))
            #expect(pool.threads > 1, "One more where this machine held the second one up.")

            gate.signal()

            while pool.threads > 1 { sched_yield() }
        }
    }

    @Test func jobsOfAnExecutorAreDoneInTheirOrderAndNeverTwoAtATime() {
        withPool(4) { pool in
            let executors = (0..<50).map { _ in ListExecutor(on: pool) }
            let done = executors.map { _ in Locked((numbers: [Int](), isBusy: false)) }
            for number in 0..<200 {
                for (executor, done) in zip(executors, done) {
                    executor.post {
                        done.withLock { done in
                            #expect(!done.isBusy)
                            done.isBusy = true
                        }
                        sched_yield()
                        done.withLock { done in
                            done.isBusy = false
                            done.numbers.append(number)
                        }
                    }
                }
            }
            for (executor, done) in zip(executors, done) {
                settle(executor)
                #expect(done.withLock { $0.numbers } == Array(0..<200))
            }
        }
    }

    @Test func aJobIsIsolatedToItsExecutorAlone() {
        withPool(2) { pool in
            let first = ListExecutor(on: pool)
            let second = ListExecutor(on: pool)
            let found = Locked<[Bool?]>([])
            first.post {
                found.withLock { $0 = [first.isIsolatingCurrentContext(), second.isIsolatingCurrentContext()] }
            }
            settle(first)
            #expect(found.withLock { $0 } == [true, false])
            #expect(first.isIsolatingCurrentContext() == false)
        }
    }

    @Test func whatIsDueIsDoneBeforeWhatIsPosted() {
        withPool { pool in
            let executor = ListExecutor(on: pool)
            let order = Locked<[String]>([])
            executor.schedule(at: 20) { order.withLock { $0.append("at 20") } }
            executor.schedule(at: 10) { order.withLock { $0.append("at 10") } }
            #expect(executor.nextDue == 10)

            clock.uptime = 15
            executor.post { order.withLock { $0.append("posted") } }
            settle(executor)
            #expect(order.withLock { $0 } == ["at 10", "posted"])

            clock.uptime = 20
            executor.lookAtTheClock()
            while executor.nextDue != nil { sched_yield() }
            settle(executor)
            #expect(order.withLock { $0 } == ["at 10", "posted", "at 20"])
        }
    }

    @Test func timersGoByTheSystemsClockAsWell() {
        let pool = ThreadPool(clock: SystemClock())
        pool.start()
        defer { pool.stop() }
        let executor = ListExecutor(on: pool)
        let done = DispatchSemaphore(value: 0)
        let order = Locked<[Int]>([])
        for delay: Int64 in [30, 5, 10] {
            executor.schedule(at: executor.clock.now.uptime + delay) {
                order.withLock { $0.append(Int(delay)) }
                done.signal()
            }
        }
        for _ in 0..<3 { done.wait() }
        #expect(order.withLock { $0 } == [5, 10, 30])
    }

    @Test func whatWasPostedBeforeTheEndIsDoneAndWhatIsPostedLaterIsDoneByWhoPostsIt() {
        let pool = ThreadPool(clock: clock, threads: 2)
        let executor = ListExecutor(on: pool)
        let count = Locked(0)
        for _ in 0..<100 { executor.post { count.withLock { $0 += 1 } } }
        pool.start()
        pool.stop()
        while pool.threads > 0 { sched_yield() }
        #expect(count.withLock { $0 } == 100)

        executor.post { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 101)
    }
}
