import KeyedLists

extension ClientMessage {
    /// The longest name of a list, in bytes of UTF-8.
    public static let longestListName = 128

    /// The types of this version, in the order in which a person would learn them.
    static let types = [
        "hello", "watch", "unwatch", "pull", "release", "cancel", "refresh", "stop", "more", "digest", "ping",
    ]

    /// Reads the payload of a text frame, and checks it whole before anything is done with it: types, required fields,
    /// ranges. Unknown fields are ignored; a field that is null counts as left out; one that comes twice is an error.
    ///
    /// Takes about as long as looking at each byte once; nothing is kept of `bytes`. Any bytes give a message or an error.
    public init(decoding bytes: UnsafeRawBufferPointer, limits: Limits = Limits()) throws(MessageError) {
        guard bytes.count <= limits.clientFrame else { throw .tooLarge(limit: limits.clientFrame) }
        var fields = MessageFields()
        var reader = JSONReader(bytes)
        do {
            try fields.read(&reader)
        } catch {
            throw MessageError(badJSON: error, after: fields, limits: limits)
        }
        let checks = try FieldChecks(id: fields.id, limits: limits)
        self = try ClientMessage(fields, checks)
    }

    /// Reads the payload of a text frame, as above.
    public init(decoding bytes: [UInt8], limits: Limits = Limits()) throws(MessageError) {
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(MessageError) in
            try ClientMessage(decoding: UnsafeRawBufferPointer(buffer), limits: limits)
        }
    }

    private init(_ fields: MessageFields, _ checks: FieldChecks) throws(MessageError) {
        guard case .text(let type) = fields.type else {
            throw MessageError(badType: fields.type, id: checks.id)
        }
        if let name = fields.repeated {
            let message = "The field \"\(name)\" came twice. Send it once."
            throw MessageError(code: .badField, message: message, id: checks.id)
        }
        let id = checks.id
        switch type {
        case "pull":
            self = .pull(
                id: id, list: try checks.list(fields), gesture: try checks.whole("gesture", fields.gesture),
                offset: try checks.pixels("offset", fields.offset))
        case "release":
            self = .release(
                id: id, list: try checks.list(fields), gesture: try checks.whole("gesture", fields.gesture),
                offset: try checks.pixels("offset", fields.offset),
                peak: try checks.optionalPixels("peak", fields.peak))
        case "watch":
            self = .watch(id: id, list: try checks.list(fields), resume: try checks.resume(fields))
        case "unwatch":
            self = .unwatch(id: id, list: try checks.list(fields))
        case "cancel":
            self = .cancel(
                id: id, list: try checks.list(fields), gesture: try checks.whole("gesture", fields.gesture))
        case "refresh":
            self = .refresh(
                id: id, list: try checks.list(fields), key: try checks.key(fields), fresh: try checks.freshness(fields))
        case "stop":
            self = .stop(
                id: id, list: try checks.list(fields), run: try checks.text("run", fields.run, bytes: 1...64))
        case "more":
            self = .more(
                id: id, list: try checks.list(fields),
                after: try checks.text("after", fields.after, bytes: 1...checks.limits.keyBytes))
        case "digest":
            self = .digest(id: id, list: try checks.list(fields))
        case "ping":
            self = .ping(id: id)
        case "hello":
            self = .hello(
                id: id, session: try checks.optionalText("session", fields.session, bytes: 1...128),
                token: try checks.optionalText("token", fields.token, bytes: 1...8192))
        default:
            throw MessageError(badType: fields.type, id: id)
        }
    }
}

extension FieldChecks {
    fileprivate func list(_ fields: MessageFields) throws(MessageError) -> String {
        try text("list", fields.list, bytes: 1...ClientMessage.longestListName)
    }

    fileprivate func key(_ fields: MessageFields) throws(MessageError) -> String? {
        try optionalText("key", fields.key, bytes: 1...limits.keyBytes)
    }

    /// Epoch and revision, which mean something only together.
    fileprivate func resume(_ fields: MessageFields) throws(MessageError) -> ClientMessage.Resume? {
        if fields.epoch.isNothing, fields.revision.isNothing { return nil }
        return ClientMessage.Resume(
            epoch: try text("epoch", fields.epoch, bytes: 1...64), revision: try whole("revision", fields.revision))
    }

    fileprivate func freshness(_ fields: MessageFields) throws(MessageError) -> ClientMessage.Freshness {
        if fields.fresh.isNothing { return .join }
        guard case .text(let text) = fields.fresh, let fresh = ClientMessage.Freshness(rawValue: text.string) else {
            throw mismatch("fresh", "\"join\" or \"after\"", fields.fresh)
        }
        return fresh
    }
}

extension MessageError {
    /// The frame is no JSON object. Its `id` is answered if it came before the fault.
    fileprivate init(badJSON error: JSONError, after fields: MessageFields, limits: Limits) {
        var id: String?
        if case .text(let text) = fields.id, text.utf8Count <= 4 * limits.idLength {
            let string = text.string
            if string.unicodeScalars.count <= limits.idLength { id = string }
        }
        let message = "Cannot read the message as JSON: at byte \(error.offset) there should be \(error.expected)."
        self.init(code: .badJSON, message: message, id: id)
    }

    /// The type is missing, no string, or unknown.
    fileprivate init(badType field: FieldValue, id: String?) {
        let known = ClientMessage.types.joined(separator: ", ")
        let message: String
        switch field {
        case .absent:
            message = "The message has no \"type\". Send one of \(known)."
        case .text(let text):
            let nearest = text.utf8Count <= 32 ? Spelling.nearest(to: text.string, in: ClientMessage.types) : nil
            message =
                "Unknown type \(field). " + (nearest.map { "Did you mean \"\($0)\"?" } ?? "Send one of \(known).")
        default:
            message = "The field \"type\" should be a string, not \(field). Send one of \(known)."
        }
        self.init(code: .badType, message: message, id: id)
    }
}
