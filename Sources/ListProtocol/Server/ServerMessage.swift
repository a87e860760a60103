public import KeyedLists

/// What a server sends: one JSON object with a `type` in each text message of `refreshable.v1`.
///
/// A server builds the frames of rows with ``Frames``, which cuts them into parts; the cases
/// ``snapshot(_:)`` and ``patch(_:)`` are for clients that read them.
public enum ServerMessage: Hashable, Sendable {
    /// The first message on every connection. `now` is in milliseconds since 1970, `heartbeat` in milliseconds.
    case welcome(session: String, now: Int64, heartbeat: Int, limits: Limits)
    /// The answer to a message that was done.
    case ok(OK)
    /// One part of a list's rows, all of them.
    case snapshot(SnapshotPart)
    /// One part of what changed in a list.
    case patch(PatchPart)
    /// What a gesture has come to; for the one who pulls.
    case privateState(PrivateState)
    /// What a list is doing; for all who watch it.
    case state(ListState)
    /// How far a run has come. `total` is nil where it is not known.
    case progress(list: String, run: String, completed: Int, total: Int?, note: String?)
    /// What becomes of an action; for those who asked for it.
    case act(ActionState)
    /// The keys of the rows that are unread, all of them, to a person who has signed in.
    case unread(list: String, keys: [String])
    /// The settings of a watched list have changed: replaces what its ok described.
    case settings(ListDescription)
    /// A list that was watched is not there any more. `after`, in milliseconds, is when it may be asked for again.
    case unwatched(list: String, code: ErrorCode, message: String, after: Int?)
    /// The answer to a message that was not done. `after`, in milliseconds, is written only with `retry` later.
    case error(id: String?, code: ErrorCode, message: String, after: Int?)
    /// The last message before a Close. `after` bounds, in milliseconds, the random pause before the client comes back.
    case goodbye(code: CloseCode, message: String, reconnect: Bool, after: ClosedRange<Int>?)
    /// A message, or a code in one, that this version does not know; for clients. It can't be encoded for a server's use.
    case unknown(type: String, members: JSONValue)
}

extension ServerMessage {
    /// The message as JSON, without a newline. Fields come in the order of the protocol's examples, which never changes;
    /// those that are nil are left out. Numbers must be finite.
    public func encoded() -> [UInt8] {
        switch self {
        case .welcome(let session, let now, let heartbeat, let limits):
            return encodedWelcome(session: session, now: now, heartbeat: heartbeat, limits: limits)
        case .ok(let ok): return ok.encoded()
        case .snapshot(let part): return Frames.encoded(part)
        case .patch(let part): return Frames.encoded(part)
        case .privateState(let state): return state.encoded()
        case .state(let state): return state.encoded()
        case .progress(let list, let run, let completed, let total, let note):
            return encodedProgress(list: list, run: run, completed: completed, total: total, note: note)
        case .act(let state): return state.encoded()
        case .unread(let list, let keys): return encodedUnread(list: list, keys: keys)
        case .settings(let description): return description.encoded()
        case .unwatched(let list, let code, let message, let after):
            return encodedUnwatched(list: list, code: code, message: message, after: after)
        case .error(let id, let code, let message, let after):
            return encodedError(id: id, code: code, message: message, after: after)
        case .goodbye(let code, let message, let reconnect, let after):
            return encodedGoodbye(code: code, message: message, reconnect: reconnect, after: after)
        case .unknown(_, let members):
            return members.canonical
        }
    }

    private func encodedWelcome(session: String, now: Int64, heartbeat: Int, limits: Limits) -> [UInt8] {
        var writer = JSONWriter(type: "welcome")
        writer.member("protocol", "refreshable.v1")
        writer.member("session", session)
        writer.member("now", now)
        writer.member("heartbeat", heartbeat)
        writer.object("limits", limits.write)
        return writer.finish()
    }

    private func encodedUnread(list: String, keys: [String]) -> [UInt8] {
        var writer = JSONWriter(type: "unread")
        writer.member("list", list)
        writer.name("keys")
        writer.beginArray()
        for key in keys { writer.value(key) }
        writer.endArray()
        return writer.finish()
    }

    private func encodedProgress(list: String, run: String, completed: Int, total: Int?, note: String?) -> [UInt8] {
        var writer = JSONWriter(type: "progress")
        writer.member("list", list)
        writer.member("run", run)
        writer.member("completed", completed)
        writer.member("total", total)
        writer.member("note", note)
        return writer.finish()
    }

    private func encodedError(id: String?, code: ErrorCode, message: String, after: Int?) -> [UInt8] {
        var writer = JSONWriter(type: "error")
        writer.member("id", id)
        writer.member("code", code.rawValue)
        writer.member("message", message)
        writer.member("retry", code.retry.rawValue)
        writer.member("after", code.retry == .later ? after : nil)
        return writer.finish()
    }

    private func encodedUnwatched(list: String, code: ErrorCode, message: String, after: Int?) -> [UInt8] {
        var writer = JSONWriter(type: "unwatched")
        writer.member("list", list)
        writer.member("code", code.rawValue)
        writer.member("message", message)
        // The list was there a moment ago, and may be again.
        writer.member("retry", Retry.later.rawValue)
        writer.member("after", after)
        return writer.finish()
    }

    private func encodedGoodbye(
        code: CloseCode, message: String, reconnect: Bool, after: ClosedRange<Int>?
    ) -> [UInt8] {
        var writer = JSONWriter(type: "goodbye")
        writer.member("code", Int(code.rawValue))
        writer.member("message", message)
        writer.member("reconnect", reconnect)
        if let after {
            writer.name("after")
            writer.beginArray()
            writer.value(after.lowerBound)
            writer.value(after.upperBound)
            writer.endArray()
        }
        return writer.finish()
    }
}

extension ServerMessage {
    /// Reads the payload of a text frame from a server; for our own clients. Unknown members are ignored, an unknown type
    /// or error code gives ``unknown(type:members:)``.
    ///
    /// Any bytes give a message or an error. Rows' fields are made canonical again, whatever the server sent.
    public init(decoding bytes: [UInt8]) throws(MessageError) {
        let members: [Key: JSONValue]
        do {
            members = try JSONReader.read(bytes) { (reader) throws(JSONError) in
                let members = try reader.readMembers()
                try reader.finish()
                return members
            }
        } catch {
            let message = "Cannot read the message as JSON: at byte \(error.offset) there should be \(error.expected)."
            throw MessageError(code: .badJSON, message: message)
        }
        guard case .string(let type) = members["type"] else {
            throw MessageError(code: .badType, message: "The message has no \"type\" that is a string.")
        }
        self = try ServerMessage(type: type, Members(members))
    }

    private init(type: String, _ members: Members) throws(MessageError) {
        switch type {
        case "welcome": self = try .init(welcome: members)
        case "ok": self = .ok(try OK(members))
        case "snapshot": self = .snapshot(try SnapshotPart(members))
        case "patch": self = .patch(try PatchPart(members))
        case "state" where members.has("gesture"): self = .privateState(try PrivateState(members))
        case "state": self = .state(try ListState(members))
        case "progress": self = try .init(progress: members)
        case "act": self = .act(try ActionState(members))
        case "unread": self = .unread(list: try members.string("list"), keys: try members.strings("keys"))
        case "settings": self = .settings(try ListDescription(members))
        case "unwatched": self = try .init(unwatched: members)
        case "error": self = try .init(error: members)
        case "goodbye": self = try .init(goodbye: members)
        default: self = .unknown(type: type, members: .object(members.values))
        }
    }

    private init(welcome members: Members) throws(MessageError) {
        self = .welcome(
            session: try members.string("session"), now: Int64(try members.whole("now")),
            heartbeat: try members.whole("heartbeat"), limits: try Limits(members.object("limits")))
    }

    private init(progress members: Members) throws(MessageError) {
        self = .progress(
            list: try members.string("list"), run: try members.string("run"),
            completed: try members.whole("completed"), total: try members.optional("total", members.whole),
            note: try members.optional("note", members.string))
    }

    private init(error members: Members) throws(MessageError) {
        guard let code = ErrorCode(rawValue: try members.string("code")) else {
            self = .unknown(type: "error", members: .object(members.values))
            return
        }
        self = .error(
            id: try members.optional("id", members.string), code: code, message: try members.string("message"),
            after: try members.optional("after", members.whole))
    }

    private init(unwatched members: Members) throws(MessageError) {
        guard let code = ErrorCode(rawValue: try members.string("code")) else {
            self = .unknown(type: "unwatched", members: .object(members.values))
            return
        }
        self = .unwatched(
            list: try members.string("list"), code: code, message: try members.string("message"),
            after: try members.optional("after", members.whole))
    }

    private init(goodbye members: Members) throws(MessageError) {
        guard let code = UInt16(exactly: try members.whole("code")) else {
            throw members.mismatch("code", "a close code")
        }
        self = .goodbye(
            code: CloseCode(rawValue: code), message: try members.string("message"),
            reconnect: try members.bool("reconnect"),
            after: try members.optional("after") { (name) throws(MessageError) in
                let bounds = try members.array(name).map(\.whole)
                guard bounds.count == 2, let low = bounds[0], let high = bounds[1], low <= high else {
                    throw members.mismatch(name, "two whole numbers, the smaller first")
                }
                return low...high
            })
    }
}

/// The two things that messages add to JSON: a type that comes first, and members that are left out when nil.
extension JSONWriter {
    /// Begins a message of that type.
    init(type: StaticString) {
        self.init(reserving: 256)
        beginObject()
        name("type")
        text(type)
    }

    mutating func member(_ name: StaticString, _ text: String?) {
        if let text { member(name, text) }
    }

    mutating func member(_ name: StaticString, _ number: Int?) {
        if let number { member(name, number) }
    }

    mutating func member(_ name: StaticString, _ time: Int64?) {
        if let time { member(name, Int(time)) }
    }

    mutating func member(_ name: StaticString, _ bool: Bool?) {
        if let bool { member(name, bool) }
    }

    mutating func member(_ name: StaticString, _ number: Double?) {
        if let number { member(name, number) }
    }

    /// Writes an object as a member.
    mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        beginObject()
        write(&self)
        endObject()
    }

    /// Ends the message.
    consuming func finish() -> [UInt8] {
        endObject()
        return bytes
    }

    /// Writes our own text, which needs no escapes.
    private mutating func text(_ text: StaticString) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
    }
}
