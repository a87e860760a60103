public import KeyedLists

/// An action that may be used on the rows of a list, as a client is told of it.
public struct ActionDescription: Hashable, Sendable {
    /// What an action does to the row that it is used on, so that a client can show it before the outcome.
    public enum Effect: Hashable, Sendable {
        /// The row leaves the list.
        case remove
        /// These fields are set; one that is null is taken away.
        case set([Key: JSONValue])
    }

    /// Its name in messages.
    public var name: String
    /// Its title, for people.
    public var title: String
    /// What it does to the row; nil where that is not known before it is done.
    public var effect: Effect?
    /// Whether it can be undone for some seconds.
    public var undo: Bool
    /// Whether it should look dangerous.
    public var destructive: Bool

    /// Makes a description.
    public init(name: String, title: String, effect: Effect? = nil, undo: Bool = false, destructive: Bool = false) {
        self.name = name
        self.title = title
        self.effect = effect
        self.undo = undo
        self.destructive = destructive
    }
}

/// What becomes of an action, told to those who asked for it. Of one run, the newest counts.
public struct ActionState: Hashable, Sendable {
    /// How far the run is.
    public enum Phase: Hashable, Sendable {
        /// Its handler is at work; `total` is nil where it is not known.
        case loading(completed: Int, total: Int?, note: String?)
        /// It is over. After a success the row is as it is to be from `revision` on, and `undo` is how long it can be undone,
        /// in milliseconds; nil: it can't.
        case closing(LastRun.Outcome, revision: Revision? = nil, undo: Int? = nil, error: RunError? = nil)
    }

    /// The list.
    public var list: String
    /// The run.
    public var run: String
    /// The action's name.
    public var action: String
    /// The key of the row that it is used on.
    public var row: String
    /// The run that this one undoes; nil: it is no undoing.
    public var undoes: String?
    /// How far it is.
    public var phase: Phase

    /// Makes a state.
    public init(list: String, run: String, action: String, row: String, undoes: String? = nil, phase: Phase) {
        self.list = list
        self.run = run
        self.action = action
        self.row = row
        self.undoes = undoes
        self.phase = phase
    }
}

extension ActionDescription {
    /// Writes the member of all actions; of none, nothing.
    static func write(_ actions: [ActionDescription], to writer: inout JSONWriter) {
        guard !actions.isEmpty else { return }
        writer.name("actions")
        writer.beginArray()
        for action in actions {
            writer.beginObject()
            action.write(to: &writer)
            writer.endObject()
        }
        writer.endArray()
    }

    private func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("title", title)
        switch effect {
        case .remove: writer.member("effect", "remove")
        case .set(let fields):
            writer.name("effect")
            writer.raw(JSONValue.object(fields).canonical)
        case nil: break
        }
        if undo { writer.member("undo", true) }
        if destructive { writer.member("destructive", true) }
    }

    init(_ members: Members) throws(MessageError) {
        self.init(
            name: try members.string("name"), title: try members.string("title"),
            effect: try members.optional("effect") { (name) throws(MessageError) in try Effect(name, of: members) },
            undo: try members.optional("undo", members.bool) ?? false,
            destructive: try members.optional("destructive", members.bool) ?? false)
    }
}

extension Members {
    func actions(_ name: Key) throws(MessageError) -> [ActionDescription] {
        try array(name).map { (value) throws(MessageError) in
            guard case .object(let members) = value else { throw mismatch(name, "an array of objects") }
            return try ActionDescription(Members(members, path: "\(path)\(name)."))
        }
    }
}

extension ActionDescription.Effect {
    fileprivate init(_ name: Key, of members: Members) throws(MessageError) {
        switch members.values[name] {
        case .string("remove"): self = .remove
        case .object(let fields): self = .set(fields)
        default: throw members.mismatch(name, "\"remove\" or an object")
        }
    }
}

extension ActionState {
    func encoded() -> [UInt8] {
        var writer = JSONWriter(type: "act")
        writer.member("list", list)
        writer.member("run", run)
        writer.member("action", action)
        writer.member("row", row)
        writer.member("undoes", undoes)
        switch phase {
        case .loading(let completed, let total, let note):
            writer.member("phase", "loading")
            writer.member("completed", completed)
            writer.member("total", total)
            writer.member("note", note)
        case .closing(let outcome, let revision, let undo, let error):
            writer.member("phase", "closing")
            writer.member("outcome", outcome.rawValue)
            writer.member("revision", revision)
            writer.member("undo", undo)
            if let error { writer.object("error", error.write) }
        }
        return writer.finish()
    }

    init(_ members: Members) throws(MessageError) {
        self.init(
            list: try members.string("list"), run: try members.string("run"), action: try members.string("action"),
            row: try members.string("row"), undoes: try members.optional("undoes", members.string),
            phase: try Phase(members))
    }
}

extension ActionState.Phase {
    fileprivate init(_ members: Members) throws(MessageError) {
        switch try members.string("phase") {
        case "loading":
            self = .loading(
                completed: try members.whole("completed"), total: try members.optional("total", members.whole),
                note: try members.optional("note", members.string))
        case "closing":
            self = .closing(
                try members.word("outcome"), revision: try members.optional("revision", members.whole),
                undo: try members.optional("undo", members.whole),
                error: try members.optional("error") { (name) throws(MessageError) in
                    try RunError(members.object(name))
                })
        default: throw members.mismatch("phase", "loading or closing")
        }
    }
}
