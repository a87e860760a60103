import DequeModule
import ListProtocol
import ListStorage
import Logging

/// A list's actions: runs under way, and requests that were answered.
struct Acting {
    var runs = ActionRuns()
    /// The handlers at work.
    var tasks: [ActionRuns.ID: Task<Void, Never>] = [:]
    /// Those who are told of a run, by its name and their session.
    var listeners: [String: [String: ActionListener]] = [:]
    var scheduledWake: Int64?
    /// Called once nothing is under way.
    var whenIdle: (() -> Void)?

    private struct Entry {
        var state: ActionState
        let begunAt: Int64
        /// Whether the store has it as it is now.
        var isStored: Bool
        /// Whether it was under way at a server that is gone.
        var isInterrupted = false
    }

    /// By request.
    private var entries: [IdempotencyKey: Entry] = [:]
    /// Requests in order of time.
    private var order: Deque<IdempotencyKey> = []
    /// The requests for a run.
    private var requests: [String: [IdempotencyKey]] = [:]
    private var unstored: [IdempotencyKey] = []
    private var isRestored = false

    /// What became of a request; nil: it is new.
    func state(of key: IdempotencyKey) -> ActionState? { entries[key]?.state }

    /// The newest state of a run that is remembered.
    func state(ofRun run: String) -> ActionState? { requests[run]?.first.flatMap { entries[$0]?.state } }

    /// Takes over what the store remembers, once. Of runs that were under way when the process ended nobody knows how far they
    /// came.
    ///
    /// - Parameter isAgain: of a store that is shared, what another server has done since.
    mutating func restore(_ stored: [StoredActionRun], again isAgain: Bool = false) {
        guard !isRestored || isAgain else { return }
        isRestored = true
        for run in stored where entries[IdempotencyKey(run.key) ?? IdempotencyKey(action: "")]?.state.isOver != true {
            guard let key = IdempotencyKey(run.key), var state = ActionState(stored: run) else { continue }
            let wasUnderWay = !state.isOver
            if wasUnderWay { state.phase = .closing(.failure, error: RunError(.failure(.interrupted))) }
            var entry = Entry(state: state, begunAt: run.begunAt, isStored: true)
            entry.isInterrupted = wasUnderWay
            if entries[key] == nil { add(key, entry) } else { entries[key] = entry }
        }
    }

    /// Another server has another state of a run than is known here; nil: it has not.
    mutating func learn(_ run: StoredActionRun) -> ActionState? {
        guard let key = IdempotencyKey(run.key), let state = ActionState(stored: run), entries[key]?.state != state
        else {
            return nil
        }
        if entries[key] == nil { add(key, Entry(state: state, begunAt: run.begunAt, isStored: true)) }
        entries[key]?.state = state
        return state
    }

    /// The runs that are over because another server is gone, which the store is to keep so.
    mutating func interrupted() -> [ActionState] {
        let found = entries.filter { $0.value.isInterrupted }
        for key in found.keys {
            entries[key]?.isInterrupted = false
            entries[key]?.isStored = false
            unstored.append(key)
        }
        return found.values.map(\.state)
    }

    /// A request has begun a run, or joined one.
    mutating func remember(_ key: IdempotencyKey, _ state: ActionState, at date: Int64) {
        add(key, Entry(state: state, begunAt: date, isStored: false))
        unstored.append(key)
    }

    /// A run has another state than before.
    mutating func update(_ state: ActionState) {
        for key in requests[state.run] ?? [] {
            entries[key]?.state = state
            if entries[key]?.isStored == true { unstored.append(key) }
            entries[key]?.isStored = false
        }
    }

    /// What the store is to keep, each once.
    mutating func takeUnstored() -> [StoredActionRun] {
        defer { unstored = [] }
        return unstored.compactMap { key in
            guard let entry = entries[key], !entry.isStored else { return nil }
            entries[key]?.isStored = true
            return StoredActionRun(
                key: key.bytes, run: entry.state.run, begunAt: entry.begunAt,
                state: ServerMessage.act(entry.state).encoded())
        }
    }

    private mutating func add(_ key: IdempotencyKey, _ entry: Entry) {
        entries[key] = entry
        order.append(key)
        requests[entry.state.run, default: []].append(key)
        while order.count > StoredActionRun.most, let oldest = order.popFirst() {
            guard let old = entries.removeValue(forKey: oldest) else { continue }
            requests[old.state.run]?.removeAll { $0 == oldest }
            if requests[old.state.run]?.isEmpty == true { requests[old.state.run] = nil }
        }
    }
}

extension ActionState {
    var isOver: Bool {
        if case .closing = phase { true } else { false }
    }

    /// Nil if it can't be read, as after a downgrade: then the request is a new one.
    fileprivate init?(stored run: StoredActionRun) {
        guard case .act(let state)? = try? ServerMessage(decoding: run.state) else { return nil }
        self = state
    }
}
