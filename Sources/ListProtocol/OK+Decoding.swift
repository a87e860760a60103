import KeyedLists

extension OK {
    init(_ members: Members) throws(MessageError) {
        self.init(
            id: try members.optional("id", members.string), list: try members.optional("list", members.string),
            run: try RunReference(members),
            begin: try members.optional("begin") { (name) throws(MessageError) in try members.word(name) },
            epoch: try members.optional("epoch", members.epoch),
            revision: try members.optional("revision", members.whole),
            count: try members.optional("count", members.whole),
            crc32: try members.optional("crc32", members.crc32), title: try members.optional("title", members.string),
            refreshable: try members.optional("refreshable", members.bool),
            pull: try members.optional("pull") { (name) throws(MessageError) in
                try PullDescription(members.object(name))
            },
            session: try members.optional("session", members.string),
            resumed: try members.optional("resumed", members.bool))
    }
}

extension RunReference {
    /// Nil if the answer has no `run` at all; one that is null comes with a reason.
    fileprivate init?(_ members: Members) throws(MessageError) {
        switch members.values["run"] {
        case nil: return nil
        case .null:
            self = .noRun(try members.word("reason"), message: try members.optional("message", members.string))
        default: self = .run(try members.string("run"), joined: try members.bool("joined"))
        }
    }
}

extension ListDescription {
    init(_ members: Members) throws(MessageError) {
        self.init(
            list: try members.string("list"), title: try members.string("title"),
            refreshable: try members.bool("refreshable"), pull: try PullDescription(members.object("pull")))
    }
}

extension PullDescription {
    fileprivate init(_ members: Members) throws(MessageError) {
        var texts: [String: String] = [:]
        let named = try members.object("texts")
        for name in named.values.keys { texts[name.string] = try named.string(name) }
        self.init(
            trigger: try members.string("trigger"), threshold: try members.number("threshold"),
            minimum: try members.number("minimum"), hold: try members.number("hold"),
            hysteresis: try members.number("hysteresis"), haptics: try members.bool("haptics"),
            indicator: try members.string("indicator"), texts: texts)
    }
}

extension Limits {
    init(_ members: Members) throws(MessageError) {
        self.init(
            clientFrame: try members.whole("clientFrame"), serverFrame: try members.whole("serverFrame"),
            listsPerConnection: try members.whole("listsPerConnection"), keyBytes: try members.whole("keyBytes"),
            rowBytes: try members.whole("rowBytes"), pullsPerSecond: try members.whole("pullsPerSecond"),
            messagesPerSecond: try members.whole("messagesPerSecond"), burst: try members.whole("burst"),
            idLength: try members.whole("idLength"), offset: try members.number("offset"))
    }
}
