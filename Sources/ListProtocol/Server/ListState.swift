public import KeyedLists

/// The state of a list, sent byte for byte alike to all its watchers. A later one replaces an earlier one.
/// Times are in milliseconds since 1970.
public struct ListState: Hashable, Sendable {
    /// Why a run was started.
    public enum Cause: String, CaseIterable, Hashable, Sendable {
        /// Somebody began to watch a list that had not been loaded.
        case initial
        /// Somebody pulled.
        case pull
        /// Somebody pressed a button or sent a `refresh`.
        case refresh
        /// The program that serves the list asked for it.
        case code
        /// Its time had come.
        case timer
        /// Somebody asked for the next page.
        case more
    }

    /// The list's name.
    public var list: String
    /// waiting, loading or closing.
    public var phase: Phase
    /// The run under way, or the one that is closing.
    public var run: String?
    /// Why that run was started.
    public var cause: Cause?
    /// When it was started.
    public var startedAt: Int64?
    /// When the rows were last refreshed with success; nil before the first time.
    public var updatedAt: Int64?
    /// Since when the rows could not be refreshed; nil while they can.
    public var staleSince: Int64?
    /// Whether `more` may bring rows that follow the last one.
    public var hasMore: Bool
    /// How the last run ended; nil before the first.
    public var last: LastRun?

    /// Makes a state; members that are nil are not written.
    public init(
        list: String, phase: Phase, run: String? = nil, cause: Cause? = nil, startedAt: Int64? = nil,
        updatedAt: Int64? = nil, staleSince: Int64? = nil, hasMore: Bool = false, last: LastRun? = nil
    ) {
        self.list = list
        self.phase = phase
        self.run = run
        self.cause = cause
        self.startedAt = startedAt
        self.updatedAt = updatedAt
        self.staleSince = staleSince
        self.hasMore = hasMore
        self.last = last
    }
}

/// Where a pull, or a list, is on its way.
public enum Phase: String, CaseIterable, Hashable, Sendable {
    /// At rest, or pulled not far enough.
    case waiting
    /// Pulled far enough: letting go refreshes.
    case primed
    /// A run is under way.
    case loading
    /// The run has ended, and its indicator is leaving.
    case closing
}

/// How a run ended.
public struct LastRun: Hashable, Sendable {
    /// The four ways a run can end. Only success moves the list's `updatedAt`.
    public enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// The handler returned, and its rows are committed.
        case success
        /// The handler threw.
        case failure
        /// Its deadline passed.
        case timeout
        /// Nobody wanted it any more.
        case cancelled
    }

    /// The run.
    public var run: String
    /// `more` if it loaded a page, which is no refresh: the rows are as old as before. Else nil: any other cause.
    public var cause: ListState.Cause?
    /// How it ended.
    public var outcome: Outcome
    /// How long it took, in milliseconds.
    public var duration: Int
    /// What it changed in the list.
    public var changes: ChangeCounts
    /// What went wrong, as a message for people.
    public var error: RunError?

    /// Makes an outcome.
    public init(
        run: String, cause: ListState.Cause? = nil, outcome: Outcome, duration: Int, changes: ChangeCounts,
        error: RunError? = nil
    ) {
        self.run = run
        self.cause = cause
        self.outcome = outcome
        self.duration = duration
        self.changes = changes
        self.error = error
    }
}

/// The state of a gesture, sent to the client that pulls. Only the newest counts.
public struct PrivateState: Hashable, Sendable {
    /// The list that is pulled.
    public var list: String
    /// The phase the gesture has reached.
    public var phase: Phase
    /// The number of the gesture.
    public var gesture: Int
    /// How far it has come, 0 … 1.
    public var progress: Double

    /// Makes a state.
    public init(list: String, phase: Phase, gesture: Int, progress: Double) {
        self.list = list
        self.phase = phase
        self.gesture = gesture
        self.progress = progress
    }
}

extension PrivateState {
    func encoded() -> [UInt8] {
        var writer = JSONWriter(type: "state")
        writer.member("list", list)
        writer.member("phase", phase.rawValue)
        writer.member("gesture", gesture)
        writer.member("progress", progress)
        return writer.finish()
    }
}

extension ListState {
    func encoded() -> [UInt8] {
        var writer = JSONWriter(type: "state")
        writer.member("list", list)
        writer.member("phase", phase.rawValue)
        writer.member("run", run)
        writer.member("cause", cause?.rawValue)
        writer.member("startedAt", startedAt)
        writer.member("updatedAt", updatedAt)
        writer.member("staleSince", staleSince)
        if hasMore { writer.member("more", true) }
        if let last { writer.object("last", last.write) }
        return writer.finish()
    }
}

extension LastRun {
    /// The outcome as JSON, as it stands in a state's `last`; it may be kept and read again by ``init(decoding:)``.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        write(to: &writer)
        return writer.finish()
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("run", run)
        writer.member("cause", cause?.rawValue)
        writer.member("outcome", outcome.rawValue)
        writer.member("duration", duration)
        writer.object("changes") { inner in
            inner.member("inserted", changes.inserted)
            inner.member("changed", changes.changed)
            inner.member("moved", changes.moved)
            inner.member("removed", changes.removed)
        }
        if let error { writer.object("error", error.write) }
    }
}

extension RunError {
    func write(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("message", message)
        if !values.isEmpty {
            writer.name("values")
            writer.beginArray()
            for value in values { writer.value(value) }
            writer.endArray()
        }
        writer.member("retryAfter", retryAfter)
    }
}

extension PrivateState {
    init(_ members: Members) throws(MessageError) {
        self.init(
            list: try members.string("list"), phase: try members.word("phase"), gesture: try members.whole("gesture"),
            progress: try members.number("progress"))
    }
}

extension ListState {
    init(_ members: Members) throws(MessageError) {
        self.init(
            list: try members.string("list"), phase: try members.word("phase"),
            run: try members.optional("run", members.string),
            cause: try members.optional("cause") { (name) throws(MessageError) in try members.word(name) },
            startedAt: try members.time("startedAt"), updatedAt: try members.time("updatedAt"),
            staleSince: try members.time("staleSince"), hasMore: try members.optional("more", members.bool) ?? false,
            last: try members.optional("last") { (name) throws(MessageError) in try LastRun(members.object(name)) })
    }
}

extension LastRun {
    /// Reads what ``encoded()`` wrote.
    public init(decoding bytes: [UInt8]) throws(MessageError) {
        let value: JSONValue
        do {
            value = try JSONValue(json: bytes)
        } catch {
            throw MessageError(code: .badJSON, message: "Cannot read how a run ended: \(error)")
        }
        try self.init(Members(["last": value]).object("last"))
    }

    fileprivate init(_ members: Members) throws(MessageError) {
        let changes = try members.object("changes")
        self.init(
            run: try members.string("run"),
            cause: try members.optional("cause") { (name) throws(MessageError) in try members.word(name) },
            outcome: try members.word("outcome"),
            duration: try members.whole("duration"),
            changes: ChangeCounts(
                inserted: try changes.whole("inserted"), changed: try changes.whole("changed"),
                moved: try changes.whole("moved"), removed: try changes.whole("removed")),
            error: try members.optional("error") { (name) throws(MessageError) in
                try RunError(members.object(name))
            })
    }
}

extension RunError {
    init(_ members: Members) throws(MessageError) {
        self.init(
            code: try members.string("code"), message: try members.string("message"),
            values: try members.optional("values", members.strings) ?? [],
            retryAfter: try members.optional("retryAfter", members.whole))
    }
}

extension Members {
    fileprivate func time(_ name: Key) throws(MessageError) -> Int64? {
        try optional(name) { (name) throws(MessageError) in Int64(try whole(name)) }
    }
}
