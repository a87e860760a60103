import KeyedLists

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
    fileprivate init(_ members: Members) throws(MessageError) {
        self.init(
            code: try members.string("code"), message: try members.string("message"),
            retryAfter: try members.optional("retryAfter", members.whole))
    }
}

extension Members {
    fileprivate func time(_ name: Key) throws(MessageError) -> Int64? {
        try optional(name) { (name) throws(MessageError) in Int64(try whole(name)) }
    }
}
