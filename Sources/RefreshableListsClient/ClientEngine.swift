import KeyedLists
import ListProtocol
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Performs what the rules of a client say: opens sockets, sends, waits, and tells whoever waits or reads.
///
///     calls, sockets, the clock ──event──▶ Conversation ──actions──▶ socket, readers, waiters, jobs of run()
///
/// Events are handled one after another, under one lock, on whatever thread they come.
final class ClientEngine: Sendable {
    /// What `run()` does in tasks of its own.
    private enum Job: Sendable {
        case connect(Int, isRefused: Bool)
        case wake(at: Duration)
    }

    private struct Handle {
        weak var list: WatchedList?
        var serial: Int
    }

    private struct State {
        var conversation: Conversation
        var wasRun = false
        /// Of the newest socket; what earlier ones tell comes too late.
        var socketNumber = 0
        var socket: (any ListSocket)?
        var carrying: Task<Void, Never>?
        /// The earliest time at which `run()` looks at the clock.
        var wake: Duration?
        var serial = 0
        var handles: [String: Handle] = [:]
        var readers: [String: [WeakReader]] = [:]
        var waiters: [Int: CheckedContinuation<Request.Conclusion?, Never>] = [:]
        var end: (any Error)?
    }

    private struct WeakReader {
        weak var reader: UpdateReader?
    }

    let tokens: TokenProvider
    private let url: String
    private let transport: any ListTransport
    private let clock: ClientClock
    private let state: Mutex<State>
    private let jobs: AsyncStream<Job>
    private let job: AsyncStream<Job>.Continuation

    init(url: String, tokens: TokenProvider, configuration: ListClient.Configuration) {
        self.url = url
        self.tokens = tokens
        transport = configuration.transport ?? NetworkTransport()
        clock = ClientClock(configuration.clock) { Date.now.milliseconds }
        let conversation = Conversation(
            renewsTokens: tokens.isRenewed, verifiesAfter: configuration.verifiesAfter,
            waitsForServer: configuration.waitsForServer, chance: configuration.chance)
        state = Mutex(State(conversation: conversation))
        (jobs, job) = AsyncStream.makeStream()
    }

    /// Why it has ended by itself; nil where it has not.
    var end: (any Error)? { state.withLock { $0.end } }

    var connection: ListClient.ConnectionState { state.withLock { $0.conversation.connection } }

    func read<Value: Sendable>(_ name: String, _ value: (ListConversation) -> Value?) -> Value? {
        state.withLock { state in state.conversation.lists[name].flatMap(value) }
    }
}

// MARK: Running

extension ClientEngine {
    func run() async throws {
        let isFirst = state.withLock { state in
            defer { state.wasRun = true }
            return !state.wasRun
        }
        guard isFirst else { throw ListClientError.wasRun }
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                handle(.begin)
                for await job in jobs {
                    group.addTask { await self.perform(job) }
                }
                handle(.end(.ended))
                group.cancelAll()
            }
        } onCancel: {
            handle(.end(.ended))
        }
        if let end = state.withLock({ $0.end }) { throw end }
    }

    private func perform(_ job: Job) async {
        switch job {
        case .connect(let number, let isRefused): await connect(number, isRefused: isRefused)
        case .wake(let due):
            do { try await clock.sleep(max(.zero, due - clock.uptime())) } catch { return }
            state.withLock { state in
                if state.wake == due { state.wake = nil }
            }
            handle(.time)
        }
    }

    /// One socket, from its opening to its end. In a task of its own, which can be cancelled alone.
    private func connect(_ number: Int, isRefused: Bool) async {
        let carrying = Task { await carry(number, isRefused: isRefused) }
        let isCurrent = state.withLock { state in
            guard state.socketNumber == number else { return false }
            state.carrying = carrying
            return true
        }
        if !isCurrent { carrying.cancel() }
        await withTaskCancellationHandler {
            await carrying.value
        } onCancel: {
            carrying.cancel()
        }
    }

    private func carry(_ number: Int, isRefused: Bool) async {
        let end: SocketEnd
        do {
            let before = tokens.current
            let token = try await tokens.next()
            if isRefused, token == before {
                let reason = "The token was refused, and there is no other."
                return handle(.end(.sentAway(code: CloseCode.unauthorised.rawValue, reason: reason)))
            }
            end = try await transport.carry(ServerAddress(server: url, token: token)) { socket in
                opened(socket, number)
            } received: { text in
                received(text, number)
            }
        } catch let error as TokenProvider.Failure {
            end = SocketEnd(reason: "no token could be had: \(error.reason)")
        } catch is CancellationError {
            end = SocketEnd()
        } catch {
            state.withLock { $0.end = $0.end ?? error }
            return handle(.end(error as? ListClientError ?? .badURL(url, reason: "\(error)")))
        }
        handle(.closed(end), of: number)
    }

    private func opened(_ socket: any ListSocket, _ number: Int) {
        state.withLock { state in
            if number == state.socketNumber { state.socket = socket }
        }
        handle(.opened, of: number)
    }

    private func received(_ text: String, _ number: Int) {
        do throws(MessageError) {
            handle(.received(try ServerMessage(decoding: Array(text.utf8))), of: number)
        } catch {
            handle(.unreadable(error), of: number)
        }
    }
}

// MARK: Events and actions

extension ClientEngine {
    /// - Parameter socket: The socket that tells it; nil: none does.
    func handle(_ event: Conversation.Event, of socket: Int? = nil) {
        state.withLock { state in
            guard socket == nil || socket == state.socketNumber else { return }
            for action in state.conversation.handle(event, at: clock.now) { perform(action, &state) }
            wakeInTime(&state)
        }
    }

    private func wakeInTime(_ state: inout State) {
        guard let deadline = state.conversation.deadline, deadline < state.wake ?? .seconds(Int64.max) else { return }
        state.wake = deadline
        job.yield(.wake(at: deadline))
    }

    private func perform(_ action: Conversation.Action, _ state: inout State) {
        switch action {
        case .connect(let isRefused):
            state.socketNumber += 1
            state.socket = nil
            job.yield(.connect(state.socketNumber, isRefused: isRefused))
        case .send(let message): state.socket?.send(String(decoding: message.encoded(), as: UTF8.self))
        case .cut:
            state.carrying?.cancel()
            state.socketNumber += 1
            state.socket = nil
        case .connection(let connection):
            for name in state.readers.keys { offer(.connection(connection), to: name, state) }
        case .list(let name, let action): perform(action, of: name, &state)
        case .finish(let error): finish(error, &state)
        }
    }

    private func perform(_ action: ListConversation.Action, of name: String, _ state: inout State) {
        switch action {
        case .settings(let description): offer(.settings(description), to: name, state)
        case .rows(let touched):
            guard let replica = state.conversation.lists[name]?.replica else { return }
            offer(.rows(replica.rows, replica.epoch, place: replica.place, touched: Set(touched)), to: name, state)
        case .state(let list): offer(.state(list), to: name, state)
        case .progress(let progress): offer(.progress(progress), to: name, state)
        case .unread(let keys): offer(.unread(keys), to: name, state)
        case .refused(let code, let message): offer(.refused(code, message), to: name, state)
        case .conclude(let number, let conclusion):
            state.waiters.removeValue(forKey: number)?.resume(returning: conclusion)
        case .send: break
        }
    }

    private func offer(_ entry: UpdateQueue.Entry, to name: String, _ state: State) {
        for weak in state.readers[name] ?? [] { weak.reader?.offer(entry) }
    }

    private func finish(_ error: ListClientError, _ state: inout State) {
        if error != .ended { state.end = state.end ?? error }
        state.socket?.close()
        state.socket = nil
        for reader in state.readers.values.joined() { reader.reader?.finish() }
        for waiter in state.waiters.values { waiter.resume(returning: .failed(error)) }
        state.waiters = [:]
        job.finish()
    }
}

// MARK: Lists and requests

extension ClientEngine {
    /// The one list of that name, which is watched from now on.
    func list(_ name: String, at view: ViewRequest?, of client: ListClient) -> WatchedList {
        let (list, isNew) = state.withLock { state in
            if let list = state.handles[name]?.list { return (list, false) }
            state.serial += 1
            let list = WatchedList(name, serial: state.serial, of: client)
            state.handles[name] = Handle(list: list, serial: state.serial)
            return (list, true)
        }
        if isNew { handle(.watch(name, at: view)) }
        return list
    }

    /// The last reference to a list is gone; unless another one of that name has come.
    func leave(_ name: String, serial: Int) {
        let isIts = state.withLock { state in
            guard state.handles[name]?.serial == serial else { return false }
            state.handles[name] = nil
            state.readers[name] = nil
            return true
        }
        if isIts { handle(.leave(name)) }
    }

    /// From now on it reads what happens to a list; first how things are.
    func add(_ reader: UpdateReader, to name: String) {
        state.withLock { state in
            state.readers[name, default: []].removeAll { $0.reader == nil }
            state.readers[name, default: []].append(WeakReader(reader: reader))
            guard let list = state.conversation.lists[name] else { return reader.finish() }
            if let description = list.description { reader.offer(.settings(description)) }
            let replica = list.replica
            if let epoch = replica.epoch {
                reader.offer(.rows(replica.rows, epoch, place: replica.place, touched: nil))
            }
            if let progress = list.progress { reader.offer(.progress(progress)) }
            if let state = list.state { reader.offer(.state(state)) }
            if let unread = list.unread { reader.offer(.unread(unread)) }
            if case .refused(let code, let message)? = list.refusal { reader.offer(.refused(code, message)) }
            reader.offer(.connection(state.conversation.connection))
            if state.conversation.isOver { reader.finish() }
        }
    }

    func conclusion(of name: String, _ event: @Sendable (Int) -> Conversation.Event) async -> Request.Conclusion? {
        let number = state.withLock { state in
            state.serial += 1
            return state.serial
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let refusal: Request.Conclusion?? = state.withLock { state in
                    if Task.isCancelled { return .some(nil) }
                    if state.conversation.isOver { return .failed(state.end as? ListClientError ?? .ended) }
                    state.waiters[number] = waiter
                    return nil
                }
                if let refusal { waiter.resume(returning: refusal) } else { handle(event(number)) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(returning: nil)
            handle(.withdraw(number, list: name))
        }
    }
}
