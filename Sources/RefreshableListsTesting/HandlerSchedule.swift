import KeyedLists
import Locking
import RefreshableLists
import WebSockets

/// Lets the handlers of a tested list go on while a test waits for them, and holds them otherwise; so nothing moves
/// between two lines of a test.
///
/// ```
///             test waits              work ends
///   ready ───────────────▶ at work ───────────────▶ (gone)
///     ▲                       │ gate, clock
///     └──────── goOn ───── resting
/// ```
final class HandlerSchedule: Sendable {
    /// What is known of one handler.
    private struct Work {
        var run: RunID
        /// Whether its run ends by a call, not when the handler returns.
        var callsBack = false
        /// How many of its tasks wait for the test.
        var rests = 0
        /// Whether one of its tasks went on after a rest.
        var hasGoneOn = false
        /// Whether a handler that calls back has returned. It is waited for again once it has gone on.
        var hasReturned = false

        var isIdle: Bool { callsBack ? hasReturned && (rests > 0 || !hasGoneOn) : rests > 0 }
    }

    private struct State {
        /// How many of the test's calls wait for handlers at the moment.
        var waits = 0
        /// What goes on as soon as one does.
        var ready: [@Sendable () -> Void] = []
        /// By the number of their turn.
        var works: [Int: Work] = [:]
        var count = 0
        /// Grows with everything that happens.
        var serial = 0
        var followers: [CheckedContinuation<Void, Never>] = []
        var errors: [any Error] = []
    }

    private let state = Locked(State())

    /// What handlers threw, in order.
    var errors: [any Error] { state.withLock(\.errors) }

    // MARK: What handlers do

    /// Runs a handler from when the test waits until it returns or throws.
    func follow<Result>(_ run: RunID, _ work: () async throws -> Result) async throws -> Result {
        let turn = await begin(Work(run: run))
        defer { change { $0.works[turn.number] = nil } }
        do {
            return try await HandlerExecution.$current.withValue(turn, operation: work)
        } catch {
            change { $0.errors.append(error) }
            throw error
        }
    }

    /// Runs a handler that will call back. After it returned it is not waited for, unless it rested and went on.
    func followCall(_ run: RunID, _ work: () -> Void) async {
        let turn = await begin(Work(run: run, callsBack: true))
        HandlerExecution.$current.withValue(turn, operation: work)
        change { $0.works[turn.number]?.hasReturned = true }
    }

    /// The run is over, whatever becomes of those who were to call back for it.
    func ended(_ run: RunID) {
        change { state in state.works = state.works.filter { $0.value.run != run || !$0.value.callsBack } }
    }

    private func begin(_ work: Work) async -> HandlerExecution {
        let turn = HandlerExecution(number: register(work), self)
        await withCheckedContinuation { continuation in
            goOn { continuation.resume() }
        }
        return turn
    }

    private func register(_ work: Work) -> Int {
        change { state in
            state.count += 1
            state.works[state.count] = work
            return state.count
        }
    }

    func rest(_ turn: HandlerExecution) { change { $0.works[turn.number]?.rests += 1 } }

    func goOn(_ turn: HandlerExecution, _ body: @escaping @Sendable () -> Void) {
        goOn { [self] in
            change { state in
                state.works[turn.number]?.rests -= 1
                state.works[turn.number]?.hasGoneOn = true
            }
            body()
        }
    }

    private func goOn(_ body: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            if state.waits == 0 { state.ready.append(body) }
            return state.waits > 0
        }
        if isNow { body() }
    }

    // MARK: What the test does

    /// Lets handlers move for as long as `body` takes.
    func letMove<Result>(_ body: () async -> Result) async -> Result {
        letRun()
        defer { state.withLock { $0.waits -= 1 } }
        return await body()
    }

    /// Lets handlers move from now on.
    func letRun() {
        let ready = state.withLock { state in
            defer { state.ready = [] }
            state.waits += 1
            return state.ready
        }
        for goOn in ready { goOn() }
    }

    /// Whether every handler has ended or waits for the test; and `run`, where there is one, has begun to.
    func isIdle(_ run: RunID?) -> Bool {
        state.withLock { state in
            let works = state.works.values
            return works.allSatisfy(\.isIdle) && (run == nil || works.contains { $0.run == run })
        }
    }

    /// How much has happened so far.
    var serial: Int { state.withLock(\.serial) }

    /// Waits until something has happened since.
    func change(since serial: Int) async {
        await withCheckedContinuation { continuation in
            let isPast = state.withLock { state in
                if state.serial == serial { state.followers.append(continuation) }
                return state.serial != serial
            }
            if isPast { continuation.resume() }
        }
    }

    /// Something happened that a wait may depend on.
    func noteChange() { change { _ in } }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, followers) = state.withLock { state in
            defer { state.followers = [] }
            state.serial += 1
            return (body(&state), state.followers)
        }
        for follower in followers { follower.resume() }
        return result
    }
}

/// One handler under way, to the tasks that work for it: they find it in `current`, and say when they rest.
final class HandlerExecution: Sendable {
    /// The handler that the present task works for. Nil where no tested list called it.
    @TaskLocal static var current: HandlerExecution?

    /// Counts the handlers that `pace` lets go on.
    let number: Int
    private let pace: HandlerSchedule

    init(number: Int, _ pace: HandlerSchedule) {
        self.number = number
        self.pace = pace
    }

    /// The task waits for the test: at a gate, or for the clock.
    func rest() { pace.rest(self) }

    /// The task may go on, by `body`, as soon as the test waits for handlers.
    func goOn(_ body: @escaping @Sendable () -> Void) { pace.goOn(self, body) }
}

/// A task that waits until a test lets it go on.
struct Suspension: Sendable {
    /// Why it goes on.
    enum End {
        case letGo
        /// Nobody waits for its work any more.
        case cancelled
    }

    private let continuation: CheckedContinuation<End, Never>
    private let turn: HandlerExecution?

    /// The present task rests. To be called where its continuation was made.
    init(_ continuation: CheckedContinuation<End, Never>) {
        self.continuation = continuation
        turn = HandlerExecution.current
        turn?.rest()
    }

    /// Lets it go on. To be called once.
    func end(_ end: End) {
        guard let turn else { return continuation.resume(returning: end) }
        turn.goOn { [continuation] in continuation.resume(returning: end) }
    }
}

extension RefreshableList {
    /// The same list, with handlers that go on when `pace` lets them.
    func paced(by pace: HandlerSchedule) -> RefreshableList {
        with { list in
            list.handler = list.handler?.paced(by: pace)
            list.initialHandler = list.initialHandler?.paced(by: pace)
            guard let pages = list.pages else { return }
            list.pages = { last in pages(last).paced(by: pace) }
        }
    }
}

extension RefreshHandler {
    fileprivate func paced(by pace: HandlerSchedule) -> RefreshHandler {
        switch self {
        case .yields(let work): .yields { run in try await pace.follow(run.id) { try await work(run) } }
        case .edits(let work): .edits { run in try await pace.follow(run.id) { try await work(run) } }
        case .continues(let work): .continues { run in try await pace.follow(run.id) { try await work(run) } }
        case .callsBack(let work):
            .callsBack { done in
                Task { await pace.followCall(done.id) { work(done) } }
            }
        // It is the source that is asked, and goes on by itself.
        case .reads: self
        }
    }
}
