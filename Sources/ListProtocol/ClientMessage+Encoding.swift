import KeyedLists

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
        case .unwatch: "unwatch"
        case .pull: "pull"
        case .release: "release"
        case .cancel: "cancel"
        case .refresh: "refresh"
        case .stop: "stop"
        case .more: "more"
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
        case .watch(_, _, let resume):
            writer.member("epoch", resume?.epoch)
            writer.member("revision", resume?.revision)
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
        case .unwatch, .digest, .ping: break
        }
    }
}
