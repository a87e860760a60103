public import KeyedLists

/// The answer to a message that was done. Which members it has depends on what it answers.
///
///     watch     begin epoch revision count first total title refreshable pull noun section notify actions unread
///     look      epoch revision count first total
///     release, refresh, more, act     run
///     hello     session resumed
///     digest    epoch revision count crc32
///     others    none
public struct OK: Hashable, Sendable {
    /// What follows the answer to a `watch`.
    public enum Begin: String, CaseIterable, Hashable, Sendable {
        /// All rows: the client has nothing, or nothing that can be built upon.
        case snapshot
        /// A patch from the client's revision.
        case resume
        /// Nothing: the client is where the list is.
        case live
    }

    /// The `id` of the message it answers; nil only for a `watch` without one, which is answered too.
    public var id: String?
    /// The list it is about.
    public var list: String?
    /// What a `release`, a `refresh`, a `more` or an `act` has come to.
    public var run: RunReference?
    /// What follows.
    public var begin: Begin?
    /// The list's epoch.
    public var epoch: Epoch?
    /// Where the rows that follow lead; of a digest, the revision that it is of.
    public var revision: Revision?
    /// How many rows there are at that revision.
    public var count: Int?
    /// Where the window lies, where one is watched.
    public var window: WindowPlace?
    /// The CRC-32 of the rows at that revision: of key TAB fields LF for each, in order.
    public var crc32: UInt32?
    /// The list's title.
    public var title: String?
    /// Whether the list has a refresh action.
    public var refreshable: Bool?
    /// How the list wants to be pulled.
    public var pull: PullDescription?
    /// What the list's rows are called.
    public var noun: Noun?
    /// What may be done to the list's rows.
    public var actions: [ActionDescription]?
    /// Whether pages show which of the list's rows are unread.
    public var unread: Bool?
    /// How the list's rows are divided into sections.
    public var section: Sections?
    /// Of what people may ask to be notified.
    public var notify: Occasion?
    /// The session this connection now has.
    public var session: String?
    /// Whether that session is the earlier one that `hello` asked for.
    public var resumed: Bool?

    /// Makes an answer; members that are nil are not written.
    public init(
        id: String? = nil, list: String? = nil, run: RunReference? = nil, begin: Begin? = nil, epoch: Epoch? = nil,
        revision: Revision? = nil, count: Int? = nil, window: WindowPlace? = nil, crc32: UInt32? = nil,
        title: String? = nil, refreshable: Bool? = nil, pull: PullDescription? = nil, noun: Noun? = nil,
        section: Sections? = nil, notify: Occasion? = nil, actions: [ActionDescription]? = nil, unread: Bool? = nil,
        session: String? = nil, resumed: Bool? = nil
    ) {
        self.id = id
        self.list = list
        self.run = run
        self.begin = begin
        self.epoch = epoch
        self.revision = revision
        self.count = count
        self.window = window
        self.crc32 = crc32
        self.title = title
        self.refreshable = refreshable
        self.pull = pull
        self.noun = noun
        self.actions = actions
        self.unread = unread
        self.section = section
        self.notify = notify
        self.session = session
        self.resumed = resumed
    }
}

/// What a `release`, a `refresh`, a `more` or an `act` has come to: a run, or the reason why there is none.
public enum RunReference: Hashable, Sendable {
    /// Why no run came of it.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The gesture was not pulled far enough, or was dragged back.
        case belowThreshold
        /// The list was refreshed less than its minimum interval ago: what is there is the answer.
        case tooSoon
        /// The list's owner refused it. Of a `more`: a refresh is running, or the list has no pages.
        case refused
        /// The gesture was down while the list was loading; a new one is needed. Of a `more`: the row it names is not the
        /// list's last any more, so what was to follow it has come. Of an `act`: what it undoes can't be undone any more.
        case spent
        /// There are no more rows.
        case exhausted
        /// Of an `act`: there is no such row.
        case gone
    }

    /// It started the run of that name, or joined it.
    case run(String, joined: Bool)
    /// There is none; `message` explains why, if it is known.
    case noRun(Reason, message: String? = nil)
}

extension OK {
    func encoded() -> [UInt8] {
        var writer = JSONWriter(type: "ok")
        writer.member("id", id)
        writer.member("list", list)
        run?.write(to: &writer)
        writer.member("begin", begin?.rawValue)
        writer.member("epoch", epoch?.description)
        writer.member("revision", revision)
        writer.member("count", count)
        window?.write(to: &writer)
        writer.member("crc32", crc32.map { Int($0) })
        writer.member("title", title)
        writer.member("refreshable", refreshable)
        if let pull { writer.object("pull", pull.write) }
        if let noun { writer.object("noun", noun.write) }
        if let section { writer.object("section", section.write) }
        writer.member("notify", notify?.rawValue)
        ActionDescription.write(actions ?? [], to: &writer)
        if unread == true { writer.member("unread", true) }
        writer.member("session", session)
        writer.member("resumed", resumed)
        return writer.finish()
    }
}

extension RunReference {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .run(let run, let joined):
            writer.member("run", run)
            writer.member("joined", joined)
        case .noRun(let reason, let message):
            writer.name("run")
            writer.null()
            writer.member("reason", reason.rawValue)
            writer.member("message", message)
        }
    }
}

extension ListDescription {
    func encoded() -> [UInt8] {
        var writer = JSONWriter(type: "settings")
        writer.member("list", list)
        writer.member("title", title)
        writer.member("refreshable", refreshable)
        writer.object("pull", pull.write)
        if let noun { writer.object("noun", noun.write) }
        if let section { writer.object("section", section.write) }
        writer.member("notify", notify?.rawValue)
        ActionDescription.write(actions, to: &writer)
        if unread { writer.member("unread", true) }
        return writer.finish()
    }
}

extension PullDescription {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("trigger", trigger)
        writer.member("threshold", threshold)
        writer.member("minimum", minimum)
        writer.member("hold", hold)
        writer.member("hysteresis", hysteresis)
        writer.member("haptics", haptics)
        writer.member("indicator", indicator)
        writer.object("texts") { inner in
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                inner.name(Key(name))
                inner.value(text)
            }
        }
    }
}

extension Limits {
    func write(to writer: inout JSONWriter) {
        writer.member("clientFrame", clientFrame)
        writer.member("serverFrame", serverFrame)
        writer.member("listsPerConnection", listsPerConnection)
        writer.member("keyBytes", keyBytes)
        writer.member("rowBytes", rowBytes)
        writer.member("pullsPerSecond", pullsPerSecond)
        writer.member("messagesPerSecond", messagesPerSecond)
        writer.member("burst", burst)
        writer.member("idLength", idLength)
        writer.member("offset", offset)
    }
}

extension OK {
    init(_ members: Members) throws(MessageError) {
        self.init(
            id: try members.optional("id", members.string), list: try members.optional("list", members.string),
            run: try RunReference(members),
            begin: try members.optional("begin") { (name) throws(MessageError) in try members.word(name) },
            epoch: try members.optional("epoch", members.epoch),
            revision: try members.optional("revision", members.whole),
            count: try members.optional("count", members.whole), window: try members.windowPlace(),
            crc32: try members.optional("crc32", members.crc32), title: try members.optional("title", members.string),
            refreshable: try members.optional("refreshable", members.bool),
            pull: try members.optional("pull") { (name) throws(MessageError) in
                try PullDescription(members.object(name))
            },
            noun: try members.optional("noun") { (name) throws(MessageError) in try Noun(members.object(name)) },
            section: try members.sections("section"),
            notify: try members.occasion("notify"),
            actions: try members.optional("actions", members.actions),
            unread: try members.optional("unread", members.bool),
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
            refreshable: try members.bool("refreshable"), pull: try PullDescription(members.object("pull")),
            noun: try members.optional("noun") { (name) throws(MessageError) in try Noun(members.object(name)) },
            section: try members.sections("section"), notify: try members.occasion("notify"),
            actions: try members.optional("actions", members.actions) ?? [],
            unread: try members.optional("unread", members.bool) ?? false)
    }
}

extension Members {
    fileprivate func sections(_ name: Key) throws(MessageError) -> Sections? {
        has(name) ? try Sections(object(name)) : nil
    }

    /// Nil also for one of a later version, which is none of ours.
    fileprivate func occasion(_ name: Key) throws(MessageError) -> Occasion? {
        try optional(name, string).flatMap(Occasion.init)
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
