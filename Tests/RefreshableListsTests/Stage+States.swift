import ListProtocol

@testable import RefreshableLists
@testable import WebSockets

extension Stage {
    /// The newest state that everybody was told.
    var state: ListState {
        get async { await contents().states.newest?.state ?? ListState(list: "none", phase: .waiting) }
    }

    /// What somebody is told who begins to watch now, on a connection of their own.
    func lateComer() async -> ListState? {
        let feed = LoopFeed { _ in }
        await list.attach(WatchID(socket: 2, serial: 1), messageID: "1", resume: nil, to: feed)
        return feed.take().states.newest?.state
    }
}

extension ListStateFrame {
    fileprivate var state: ListState? {
        let payload = Array(frame.bytes.suffix(frame.payloadLength))
        guard case .state(let state) = try? ServerMessage(decoding: payload) else { return nil }
        return state
    }
}
