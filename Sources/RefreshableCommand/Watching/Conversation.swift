import KeyedLists
import ListProtocol

/// A client's messages about one list, and its handling of the answers. No socket, no clock.
///
/// A refresh is asked for until it is answered, over lost connections too: its key makes it safe to send again.
struct Conversation {
    /// Events for the list's viewer.
    enum News: Equatable {
        /// The list is watched, at first or again; rows and a state follow.
        case watching
        case rows([RowChange])
        case state
        case progress
        /// The list can't be watched, or not now.
        case refused(ErrorCode, String)
        /// What a refresh that was asked for has come to.
        case answered(RunReference)
        /// A refresh or stop that was asked for can't be.
        case denied(ErrorCode, String)
    }

    enum Action: Equatable {
        case send(ClientMessage)
        case tell(News)
    }

    private(set) var replica: Replica
    private(set) var goodbye: Reconnection.ShutdownNotice?
    /// How long a server may be silent before it is asked for a sign of life. Milliseconds.
    private(set) var heartbeat = 25_000
    private let token: String?
    private var isOpen = false
    private var ids = 0
    /// The watch that is not answered yet: until then, frames are of an earlier one.
    private var awaited: String?
    /// Asked for and not answered, in order.
    private var wishes: [(id: String, message: ClientMessage)] = []

    init(list: String, token: String? = nil) {
        replica = Replica(list)
        self.token = token
    }

    mutating func opened() -> [Action] {
        isOpen = true
        goodbye = nil
        let greeting = token.map { Action.send(.hello(id: nextID(), session: nil, token: $0)) }
        return [greeting, watch()].compactMap(\.self)
    }

    mutating func closed() {
        isOpen = false
        awaited = nil
    }

    /// - Parameter key: identifies this refresh.
    mutating func refresh(key: String, fresh: ClientMessage.Freshness = .join) -> [Action] {
        let id = nextID()
        return wish(id, .refresh(id: id, list: replica.name, key: key, fresh: fresh))
    }

    /// Withdraws from the run under way; none: nothing.
    mutating func stop() -> [Action] {
        guard replica.state?.phase == .loading, let run = replica.state?.run else { return [] }
        let id = nextID()
        return wish(id, .stop(id: id, list: replica.name, run: run))
    }

    mutating func ping() -> [Action] { isOpen ? [.send(.ping(id: nextID()))] : [] }

    mutating func receive(_ message: ServerMessage) -> [Action] {
        switch message {
        case .welcome(_, _, let heartbeat, _):
            self.heartbeat = heartbeat
            return []
        case .goodbye(_, _, let reconnects, let after):
            goodbye = Reconnection.ShutdownNotice(reconnects: reconnects, after: after)
            return []
        case .ok(let ok): return receive(ok)
        case .error(let id, let code, let message, _): return receive(id, code, message)
        case .unwatched(replica.name, let code, let message, _):
            return awaited == nil ? [.tell(.refused(code, message))] : []
        default: return awaited == nil ? take(replica.receive(message)) : []
        }
    }

    private mutating func take(_ effect: Replica.Effect) -> [Action] {
        switch effect {
        case .nothing: []
        case .rows(let changes): [.tell(.rows(changes))]
        case .state: [.tell(.state)]
        case .progress: [.tell(.progress)]
        case .lost: [watch()]
        }
    }

    private mutating func receive(_ ok: OK) -> [Action] {
        if let id = ok.id, id == awaited {
            awaited = nil
            replica.begin(ok)
            return [.tell(.watching)] + wishes.map { .send($0.message) }
        }
        guard fulfil(ok.id), let run = ok.run else { return [] }
        return [.tell(.answered(run))]
    }

    private mutating func receive(_ id: String?, _ code: ErrorCode, _ message: String) -> [Action] {
        if let id, id == awaited {
            awaited = nil
            return [.tell(.refused(code, message))]
        }
        return fulfil(id) ? [.tell(.denied(code, message))] : []
    }

    private mutating func fulfil(_ id: String?) -> Bool {
        guard let number = wishes.firstIndex(where: { $0.id == id }) else { return false }
        wishes.remove(at: number)
        return true
    }

    private mutating func wish(_ id: String, _ message: ClientMessage) -> [Action] {
        wishes.append((id, message))
        return isOpen && awaited == nil ? [.send(message)] : []
    }

    /// Watches from where the rows are.
    mutating func watch() -> Action {
        let id = nextID()
        awaited = id
        return .send(.watch(id: id, list: replica.name, resume: replica.resume))
    }

    private mutating func nextID() -> String {
        ids += 1
        return String(ids)
    }
}

extension ListState {
    /// Whether a run has ended: any state may be left out for a newer one, so it has if the last run is it or a later one.
    func isOver(_ run: String) -> Bool {
        guard let last = last?.run else { return false }
        guard last != run else { return true }
        // Runs end in a number that rises within an epoch.
        guard let number = Self.number(of: run), let ended = Self.number(of: last) else { return false }
        return ended > number
    }

    private static func number(of run: String) -> Int? {
        Int(String(run.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()))
    }
}

/// The outcome of a run, in a few words.
struct RunSummary {
    let text: String
    let isGood: Bool

    init(_ last: LastRun) {
        isGood = last.outcome == .success
        let time = "in \(Duration.milliseconds(last.duration).seconds) s"
        let reason = last.error.map { ": \($0.message)" } ?? "."
        text =
            switch last.outcome {
            case .success: "\(Self.news(last)) \(time)"
            case .failure: "The refresh failed\(reason)"
            case .timeout: "The refresh took too long\(reason)"
            case .cancelled: "Cancelled."
            }
    }

    private static func news(_ last: LastRun) -> String {
        let changes = last.changes
        let parts = [
            (changes.inserted, "new"), (changes.changed, "changed"), (changes.moved, "moved"),
            (changes.removed, "removed"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "No new rows" : parts.joined(separator: ", ")
    }
}
