import KeyedLists
import ListProtocol

/// Something that a client asks of a list until it is over, over lost connections too.
struct Request {
    /// What is asked. Each is safe to send again: by its key, by its gesture, or because it has no second effect.
    enum Wish: Equatable {
        case refresh(key: String, fresh: ClientMessage.Freshness)
        case release(gesture: Int, offset: Double, peak: Double?)
        case more(after: String)
        case act(ClientMessage.ActionRequest, key: String)
        case stop(run: String)
        case digest
        case look(ViewRequest)

        func message(id: String, list: String) -> ClientMessage {
            switch self {
            case .refresh(let key, let fresh): .refresh(id: id, list: list, key: key, fresh: fresh)
            case .release(let gesture, let offset, let peak):
                .release(id: id, list: list, gesture: gesture, offset: offset, peak: peak)
            case .more(let after): .more(id: id, list: list, after: after)
            case .act(let request, let key): .act(id: id, list: list, request: request, key: key)
            case .stop(let run): .stop(id: id, list: list, run: run)
            case .digest: .digest(id: id, list: list)
            case .look(let view): .look(id: id, list: list, view: view)
            }
        }
    }

    /// How far it has come.
    ///
    ///     waiting ──▶ sent ──ok: run──▶ running ──state: its end──▶ concluded
    ///       ▲  ▲       │ └──ok: digest──▶ checking ──rows: there──▶ concluded      (5 s without rows: waiting)
    ///       │  └ lost ─┤
    ///       └── paused ┘ rateLimited
    enum Stage: Equatable {
        /// To be sent as soon as the list is watched.
        case waiting
        case sent(id: String)
        case paused(until: Duration)
        /// Its run is under way. Doubtful: the server has lost our session since, and may not know the run any more.
        case running(String, isDoubtful: Bool = false)
        /// An action is over; its effect is in the rows from a revision on that is yet to come.
        case closing(ActionState)
        /// The server's rows at a revision, to be compared with ours once they are there.
        case checking(Epoch, Revision, crc32: UInt32, since: Duration)
        /// A look was answered; its rows are the next that come whole, also over another connection.
        case awaitingRows
    }

    /// What became of it.
    enum Conclusion: Equatable {
        case run(LastRun)
        case act(ActionState)
        case noRun(RunReference.Reason, message: String?)
        /// Done, with nothing to tell.
        case done
        /// Whether our rows are the server's.
        case compared(areSame: Bool)
        case failed(ListClientError)
    }

    /// Names it for who waits; nil: nobody does.
    var number: Int?
    var wish: Wish
    var stage = Stage.waiting
    /// Whoever asked has withdrawn: a run that comes of it is stopped.
    var isWithdrawn = false

    /// The connection was lost: what was not answered is sent again, and so is an action, whose outcome may be missed.
    mutating func lost() {
        switch (stage, wish) {
        case (.sent, _), (.paused, _), (.checking, _), (.running, .act): stage = .waiting
        default: break
        }
    }

    /// The list is watched again: a digest is to be of the rows that come now.
    mutating func missDigest() {
        if case .checking = stage { stage = .waiting }
    }
}
