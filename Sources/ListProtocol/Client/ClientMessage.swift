import KeyedLists

/// What a client sends: one JSON object with a `type` in each text message of `refreshable.v1`.
///
/// Each may carry an `id`, and then gets exactly one `ok` or `error` with it. Sending a message twice has the effect of
/// one (a `refresh` without `key` excepted).
///
///     {"type":"watch","id":"1","list":"names","epoch":"k3f","revision":418}
public enum ClientMessage: Hashable, Sendable {
    /// A place in a list's history, from which a client wants to go on.
    public struct Resume: Hashable, Sendable {
        /// The epoch that the client has, as text: one that the server does not know is a different one.
        public var epoch: String
        /// The revision the client holds.
        public var revision: Int

        /// Makes a place.
        public init(epoch: String, revision: Int) {
            self.epoch = epoch
            self.revision = revision
        }
    }

    /// What a refresh does when a run is under way.
    public enum Freshness: String, CaseIterable, Hashable, Sendable {
        /// It joins the run.
        case join
        /// It wants a run that begins after now, and gets the one trailing run.
        case after
    }

    /// What an `act` wants.
    public enum ActionRequest: Hashable, Sendable {
        /// To use the action of that name on the row of that key.
        case use(String, row: String)
        /// To undo an earlier run.
        case undo(run: String)
        /// To note that the row of that key was seen, or is not to count as seen; nil: all rows. `seen` and `unseen` are no names of
        /// other actions.
        case mark(isSeen: Bool, row: String?)
    }

    /// Takes up an earlier session, shows a token, or both.
    case hello(id: String?, session: String?, token: String?)
    /// Watches a list, or a window of it, from `resume` or from nothing.
    case watch(id: String?, list: String, resume: Resume?, view: ViewRequest? = nil)
    /// Goes on with another window of a list that is watched.
    case look(id: String?, list: String, view: ViewRequest)
    /// Stops watching a list.
    case unwatch(id: String?, list: String)
    /// A sample of a gesture: the content's displayed offset, in pixels.
    case pull(id: String?, list: String, gesture: Int, offset: Double)
    /// The end of a gesture: its last offset and, where known, its highest.
    case release(id: String?, list: String, gesture: Int, offset: Double, peak: Double?)
    /// The gesture was abandoned.
    case cancel(id: String?, list: String, gesture: Int)
    /// Asks for a refresh without a gesture; `key` makes it safe to send again.
    case refresh(id: String?, list: String, key: String?, fresh: Freshness)
    /// Withdraws from a run.
    case stop(id: String?, list: String, run: String)
    /// Asks for the rows that follow the last one, whose key is `after`.
    case more(id: String?, list: String, after: String)
    /// Wants something done to a row; `key` makes it safe to send again.
    case act(id: String?, list: String, request: ActionRequest, key: String)
    /// Asks for a check of the list's rows, to compare one's own with.
    case digest(id: String?, list: String)
    /// Asks for a sign of life.
    case ping(id: String?)

    /// The message's own identifier, with which it is answered.
    public var id: String? {
        switch self {
        case .hello(let id, _, _), .watch(let id, _, _, _), .look(let id, _, _), .unwatch(let id, _),
            .pull(let id, _, _, _),
            .release(let id, _, _, _, _), .cancel(let id, _, _), .refresh(let id, _, _, _), .stop(let id, _, _),
            .more(let id, _, _), .act(let id, _, _, _), .digest(let id, _), .ping(let id):
            id
        }
    }

    /// The name of the list it is about; nil for `hello` and `ping`.
    public var list: String? {
        switch self {
        case .watch(_, let list, _, _), .look(_, let list, _), .unwatch(_, let list), .pull(_, let list, _, _),
            .release(_, let list, _, _, _),
            .cancel(_, let list, _), .refresh(_, let list, _, _), .stop(_, let list, _),
            .more(_, let list, _), .act(_, let list, _, _), .digest(_, let list):
            list
        case .hello, .ping: nil
        }
    }
}

extension ClientMessage {
    /// The message as JSON, without a newline; for our own clients. Fields come in the order of the protocol's examples;
    /// those that are nil are left out.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", type)
        writer.member("id", id)
        writer.member("list", list)
        write(to: &writer)
        return writer.finish()
    }

    private var type: String {
        switch self {
        case .hello: "hello"
        case .watch: "watch"
        case .look: "look"
        case .unwatch: "unwatch"
        case .pull: "pull"
        case .release: "release"
        case .cancel: "cancel"
        case .refresh: "refresh"
        case .stop: "stop"
        case .more: "more"
        case .act: "act"
        case .digest: "digest"
        case .ping: "ping"
        }
    }

    /// Writes what only some types have.
    private func write(to writer: inout JSONWriter) {
        switch self {
        case .hello(_, let session, let token):
            writer.member("session", session)
            writer.member("token", token)
        case .watch(_, _, let resume, let view):
            writer.member("epoch", resume?.epoch)
            writer.member("revision", resume?.revision)
            if let view { writer.object("window", view.write) }
        case .look(_, _, let view): writer.object("window", view.write)
        case .pull(_, _, let gesture, let offset):
            writer.member("gesture", gesture)
            writer.member("offset", offset)
        case .release(_, _, let gesture, let offset, let peak):
            writer.member("gesture", gesture)
            writer.member("offset", offset)
            writer.member("peak", peak)
        case .cancel(_, _, let gesture):
            writer.member("gesture", gesture)
        case .refresh(_, _, let key, let fresh):
            writer.member("key", key)
            writer.member("fresh", fresh.rawValue)
        case .stop(_, _, let run):
            writer.member("run", run)
        case .more(_, _, let after):
            writer.member("after", after)
        case .act(_, _, let request, let key):
            switch request {
            case .use(let action, let row):
                writer.member("action", action)
                writer.member("row", row)
            case .undo(let run): writer.member("undo", run)
            case .mark(let isSeen, let row):
                writer.member("action", isSeen ? "seen" : "unseen")
                writer.member("row", row)
            }
            writer.member("key", key)
        case .unwatch, .digest, .ping: break
        }
    }
}
