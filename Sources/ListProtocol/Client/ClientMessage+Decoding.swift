import KeyedLists

extension ClientMessage {
    /// The longest name of a list, in bytes of UTF-8.
    public static let longestListName = 128

    /// The types of this version, in the order in which a person would learn them.
    static let types = [
        "hello", "watch", "look", "unwatch", "pull", "release", "cancel", "refresh", "stop", "more", "act", "digest",
        "ping",
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
            let view = fields.window.isNothing ? nil : try checks.view(fields)
            self = .watch(
                id: id, list: try checks.list(fields), resume: try checks.resume(fields), view: view)
        case "look":
            self = .look(id: id, list: try checks.list(fields), view: try checks.view(fields))
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
        case "act":
            self = .act(
                id: id, list: try checks.list(fields), request: try checks.actionRequest(fields),
                key: try checks.text("key", fields.key, bytes: 1...checks.limits.keyBytes))
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

    fileprivate func view(_ fields: MessageFields) throws(MessageError) -> ViewRequest {
        guard case .object = fields.window else {
            throw mismatch("window", "an object such as {\"first\":0,\"count\":60}", fields.window)
        }
        do { return try ViewRequest(reading: fields.windowMembers) } catch {
            let message = error.sentence { "The field \"window.\($0)\"" }
            throw MessageError(code: .badField, message: message, id: id)
        }
    }

    /// Either an action and a row, or a run to undo. What is seen may be all rows.
    fileprivate func actionRequest(_ fields: MessageFields) throws(MessageError) -> ClientMessage.ActionRequest {
        guard fields.undo.isNothing else {
            guard fields.action.isNothing, fields.row.isNothing else {
                throw mismatch("undo", "left out beside \"action\" and \"row\"", fields.undo)
            }
            return .undo(run: try text("undo", fields.undo, bytes: 1...64))
        }
        let action = try text("action", fields.action, bytes: 1...64)
        guard action == "seen" || action == "unseen" else {
            return .use(action, row: try text("row", fields.row, bytes: 1...limits.keyBytes))
        }
        let row = try optionalText("row", fields.row, bytes: 1...limits.keyBytes)
        return .mark(isSeen: action == "seen", row: row)
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

/// The fields of a client's message, found in one pass over its bytes: all that the protocol knows, whatever the type.
/// Fields of other names are checked as JSON and ignored.
struct MessageFields {
    private(set) var type = FieldValue.absent
    private(set) var id = FieldValue.absent
    private(set) var list = FieldValue.absent
    private(set) var epoch = FieldValue.absent
    private(set) var revision = FieldValue.absent
    private(set) var gesture = FieldValue.absent
    private(set) var offset = FieldValue.absent
    private(set) var peak = FieldValue.absent
    private(set) var key = FieldValue.absent
    private(set) var fresh = FieldValue.absent
    private(set) var run = FieldValue.absent
    private(set) var after = FieldValue.absent
    private(set) var action = FieldValue.absent
    private(set) var row = FieldValue.absent
    private(set) var undo = FieldValue.absent
    private(set) var session = FieldValue.absent
    private(set) var token = FieldValue.absent
    private(set) var window = FieldValue.absent
    /// What is in `window`, if that is an object.
    private(set) var windowMembers: [String: JSONValue] = [:]
    /// The first field that came twice.
    private(set) var repeated: String?

    /// Reads the whole message. After an error, what was read before it is here: the `id`, perhaps.
    mutating func read(_ reader: inout JSONReader) throws(JSONError) {
        try reader.beginObject()
        while let name = try reader.nextMember() {
            if name == "window", try reader.peek() == .object {
                for (name, value) in try reader.readMembers() { windowMembers[name.string] = value }
                set(\.window, name, .object)
                continue
            }
            let value = try FieldValue(from: &reader)
            switch name {
            case "type": set(\.type, name, value)
            case "list": set(\.list, name, value)
            case "gesture": set(\.gesture, name, value)
            case "offset": set(\.offset, name, value)
            case "id": set(\.id, name, value)
            case "peak": set(\.peak, name, value)
            case "epoch": set(\.epoch, name, value)
            case "revision": set(\.revision, name, value)
            case "key": set(\.key, name, value)
            case "fresh": set(\.fresh, name, value)
            case "run": set(\.run, name, value)
            case "after": set(\.after, name, value)
            case "action": set(\.action, name, value)
            case "row": set(\.row, name, value)
            case "undo": set(\.undo, name, value)
            case "session": set(\.session, name, value)
            case "token": set(\.token, name, value)
            case "window": set(\.window, name, value)
            default: break
            }
        }
        try reader.finish()
    }

    @inline(__always)
    private mutating func set(
        _ field: WritableKeyPath<MessageFields, FieldValue>, _ name: JSONText, _ value: FieldValue
    ) {
        if case .absent = self[keyPath: field] {
            self[keyPath: field] = value
        } else if repeated == nil {
            repeated = name.string
        }
    }
}

/// What stands in one field of a message, as it was found: not yet copied, not yet checked.
///
/// A text points into the message's bytes.
enum FieldValue {
    case absent
    case null
    case bool(Bool)
    case number(Double)
    case text(JSONText)
    case array
    case object

    /// Reads what comes next. Arrays and objects are checked and passed over: of a client's fields, `window` alone is one.
    init(from reader: inout JSONReader) throws(JSONError) {
        switch try reader.peek() {
        case .null:
            try reader.readNull()
            self = .null
        case .bool: self = .bool(try reader.readBool())
        case .number: self = .number(try reader.readNumber())
        case .string: self = .text(try reader.readText())
        case .array:
            try reader.skipValue()
            self = .array
        case .object:
            try reader.skipValue()
            self = .object
        }
    }

    /// Whether there is nothing: a field that is null counts as left out.
    var isNothing: Bool {
        switch self {
        case .absent, .null: true
        default: false
        }
    }
}

extension FieldValue: CustomStringConvertible {
    /// What came, for the person who sent it; long texts are cut.
    var description: String {
        switch self {
        case .absent: "nothing"
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number) where !number.isFinite: "a number that large"
        case .number(let number): String(decoding: JSONValue.number(number).canonical, as: UTF8.self)
        case .text(let text): FieldValue.quoted(text.string)
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The text in quotation marks, at most 40 scalars of it.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > 40 else { return "\"\(text)\"" }
        return "\"\(String(scalars.prefix(40)))…\""
    }
}
