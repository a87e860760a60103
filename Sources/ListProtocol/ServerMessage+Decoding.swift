import KeyedLists

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
