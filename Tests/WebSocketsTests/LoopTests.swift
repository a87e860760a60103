import Synchronization
import Testing
import WebSockets

@Suite struct LoopTests {
    private actor Resident {
        nonisolated let loop: ServiceLoop
        private(set) var steps: [Int] = []

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(on loop: ServiceLoop) { self.loop = loop }

        func step(_ number: Int) {
            #expect(loop.isCurrent)
            steps.append(number)
        }

        nonisolated func assumeStep(_ number: Int) {
            assumeIsolated { $0.steps.append(number) }
        }
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    @Test func postsKeepTheirOrder() async throws {
        let loop = try ServiceLoop(name: "order")
        let seen = Mutex<[Int]>([])
        for number in 0..<1000 { loop.post { seen.withLock { $0.append(number) } } }
        loop.start()
        for number in 1000..<2000 { loop.post { seen.withLock { $0.append(number) } } }
        await loop.stop()
        #expect(seen.withLock { $0 } == Array(0..<2000))
    }

    @Test func anActorLivesOnItsThread() async throws {
        let loop = try ServiceLoop(name: "actor")
        loop.start()
        let resident = Resident(on: loop)
        for number in 0..<100 { await resident.step(number) }
        await withCheckedContinuation { continuation in
            loop.post {
                resident.assumeStep(100)
                continuation.resume()
            }
        }
        #expect(await resident.steps == Array(0...100))
        await loop.stop()
    }

    @Test func jobsBeforeTheStartAndAfterTheEndRun() async throws {
        let loop = try ServiceLoop(name: "late")
        let resident = Resident(on: loop)
        let early = Task { await resident.step(1) }
        loop.start()
        await early.value
        await loop.stop()
        await resident.step(2)
        await withCheckedContinuation { continuation in
            loop.post {
                resident.assumeStep(3)
                continuation.resume()
            }
        }
        #expect(await resident.steps == [1, 2, 3])
    }

    @Test func aLoopNeverStartedEndsToo() async throws {
        let loop = try ServiceLoop(name: "idle")
        await loop.stop()
        await loop.stop()
        _ = try ServiceLoop(name: "dropped")
    }

    @Test func timersFireInOrderUnlessCancelled() async throws {
        let loop = try ServiceLoop(name: "timers")
        loop.start()
        let fired = AsyncStream<Int>.makeStream()
        loop.post {
            let cancelled = loop.schedule(after: .milliseconds(1)) { fired.continuation.yield(-1) }
            _ = loop.schedule(after: .milliseconds(30)) { fired.continuation.yield(3) }
            _ = loop.schedule(after: .milliseconds(10)) { fired.continuation.yield(1) }
            _ = loop.schedule(after: .milliseconds(10)) { fired.continuation.yield(2) }
            cancelled.cancel()
            cancelled.cancel()
        }
        var order: [Int] = []
        for await number in fired.stream {
            order.append(number)
            if order.count == 3 { break }
        }
        #expect(order == [1, 2, 3])
        await loop.stop()
    }

    @Test func manyThreadsMayPost() async throws {
        let loop = try ServiceLoop(name: "many")
        loop.start()
        let counter = Counter()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<500 { loop.post { counter.count.withLock { $0 += 1 } } } }
            }
        }
        await loop.stop()
        #expect(counter.count.withLock { $0 } == 4000)
    }
}
