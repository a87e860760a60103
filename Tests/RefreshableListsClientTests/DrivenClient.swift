import KeyedLists
import ListProtocol

@testable import RefreshableListsClient

/// The rules of a client, and the time, which moves when a test moves it. What they want done is told as texts.
struct DrivenClient {
    private var conversation: Conversation
    private var now = Moment(uptime: .zero, date: 0)

    init(renewsTokens: Bool = false, verifiesAfter: Duration? = nil) {
        conversation = Conversation(renewsTokens: renewsTokens, verifiesAfter: verifiesAfter) { 0.5 }
    }

    mutating func handle(_ event: Conversation.Event) -> [String] {
        conversation.handle(event, at: now).map(Self.text)
    }

    mutating func receive(_ message: ServerMessage) -> [String] { handle(.received(message)) }

    /// Connected, greeted, and watching a list, whose watch has the id 1.
    mutating func connect(watching list: String) {
        _ = handle(.watch(list))
        _ = handle(.begin)
        _ = handle(.opened)
        _ = receive(.welcome(session: "s1", now: 0, heartbeat: 25_000, limits: Limits()))
    }

    @discardableResult mutating func answerWatch(_ id: String, title: String = "Fruit") -> [String] {
        let pull = PullDescription(trigger: "release", threshold: 64, minimum: 10, hold: 56, hysteresis: 8)
        return receive(
            .ok(
                OK(
                    id: id, list: "fruit", begin: .snapshot, epoch: Epoch(7), revision: 3, title: title,
                    refreshable: true, pull: pull)))
    }

    /// A list that is watched, with one row, and waits.
    mutating func show() {
        connect(watching: "fruit")
        answerWatch("1")
        _ = receive(.snapshot(.of([row("a", 10)], at: 3)))
        _ = receive(.state(ListState(list: "fruit", phase: .waiting)))
    }

    /// Loses the connection, and connects again; the watch has the returned id.
    mutating func reconnect() -> [String] {
        _ = handle(.closed(SocketEnd()))
        _ = pass(.seconds(2))
        return handle(.opened)
    }

    mutating func pass(_ duration: Duration) -> [String] {
        now.uptime += duration
        return handle(.time)
    }

    /// When time has something to do, since the client was made.
    var deadline: Duration? { conversation.deadline }

    func rows(_ list: String) -> [String] { conversation.lists[list]?.replica.rows.rows.map(\.key.string) ?? [] }

    func place(_ list: String) -> WindowPlace? { conversation.lists[list]?.replica.place }

    func pull(_ list: String) -> String {
        guard let shown = conversation.lists[list]?.pull.shown else { return "" }
        return "\(shown.phase.rawValue) \(shown.progress)"
    }

    private static func text(_ action: Conversation.Action) -> String {
        switch action {
        case .connect(let isRefused): isRefused ? "connect with another token" : "connect"
        case .send(let message): String(decoding: message.encoded(), as: UTF8.self)
        case .cut: "cut"
        case .connection(.offline(let loss)): "offline: \(loss.reason), \(loss.retryAfter)"
        case .connection(let connection): "\(connection)"
        case .finish: "finish"
        case .list(_, .conclude(let number, let conclusion)): "\(number): \(text(conclusion))"
        case .list(_, .settings(let description)): "settings \(description.title)"
        case .list(_, .rows(let touched)): "rows \(touched.map(\.string).joined(separator: " "))"
        case .list(_, .state(let state)): "state \(state.phase.rawValue)"
        case .list(_, .progress(let progress)): "progress \(progress.completed)"
        case .list(_, .unread(let keys)): "unread \(keys.count)"
        case .list(_, .refused(_, let message)): "refused: \(message)"
        case .list(_, .send): "sent by a list"
        }
    }

    private static func text(_ conclusion: Request.Conclusion) -> String {
        switch conclusion {
        case .run(let last): "\(last.outcome.rawValue) of \(last.run)"
        case .act(let act): "act \(act.run)"
        case .noRun(let reason, _): reason.rawValue
        case .done: "done"
        case .compared(let areSame): areSame ? "same" : "different"
        case .failed: "failed"
        }
    }
}
