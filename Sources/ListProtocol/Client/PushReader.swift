import KeyedLists

/// Reads a push in one pass over its bytes. A ``MessageError`` names the member, what was expected, and what came.
struct PushReader {
    private var reader: JSONReader
    private let limits: PushLimits
    private var push = PushRequest()
    private var keys: Set<Key> = []

    init(_ bytes: UnsafeRawBufferPointer, limits: PushLimits) {
        reader = JSONReader(bytes)
        self.limits = limits
    }

    // MARK: A whole push

    mutating func readPush() throws(MessageError) -> PushRequest {
        var hasSet = false
        var hasRemove = false
        try members { (it, name) throws(MessageError) in
            switch name {
            case "set":
                guard !hasSet else { throw .repeated("set") }
                hasSet = try it.readArray("set") { (it, index) throws(MessageError) in
                    it.push.set.append(try it.readChange(index))
                }
            case "remove":
                guard !hasRemove else { throw .repeated("remove") }
                hasRemove = try it.readArray("remove") { (it, index) throws(MessageError) in
                    it.push.remove.append(try it.readRemoval(index))
                }
            default: try it.skip()
            }
        }
        try json { (reader) throws(JSONError) in try reader.finish() }
        guard hasSet || hasRemove else {
            throw MessageError(
                code: .badField, message: "The body has neither \"set\" nor \"remove\". Send one of them.")
        }
        return push
    }

    private mutating func readRemoval(_ index: Int) throws(MessageError) -> Key {
        let value = try readValue()
        return try key(value, "remove[\(index)]")
    }

    private mutating func readChange(_ index: Int) throws(MessageError) -> PushRequest.Change {
        guard try peek() == .object else { throw try mismatch("set[\(index)]", "an object") }
        let members = try readMembers(Path(index: index))
        return PushRequest.Change(
            key: try key(members.key, Path(index: index)("key")), fields: members.fields,
            place: try place(members, Path(index: index)))
    }

    /// - Returns: Whether there was one; null is none.
    private mutating func readArray(
        _ name: StaticString, _ readElement: (inout PushReader, Int) throws(MessageError) -> Void
    ) throws(MessageError) -> Bool {
        switch try peek() {
        case .null:
            try skip()
            return false
        case .array: break
        default: throw try mismatch("\(name)", "an array")
        }
        try json { (reader) throws(JSONError) in try reader.beginArray() }
        var index = 0
        while try json({ (reader) throws(JSONError) in try reader.nextElement() }) {
            try readElement(&self, index)
            index += 1
        }
        return true
    }

    // MARK: One row

    /// Reads a row whose key is known already.
    mutating func readRow(of key: Key) throws(MessageError) -> PushRequest.Change {
        try limits.check(key)
        guard try peek() == .object else { throw try mismatch("The body", "an object") }
        let members = try readMembers(Path())
        try json { (reader) throws(JSONError) in try reader.finish() }
        if !members.key.isNothing, try self.key(members.key, "key") != key {
            throw MessageError(code: .badField, message: "key: should be the one in the path, or left out.")
        }
        return PushRequest.Change(key: key, fields: members.fields, place: try place(members, Path()))
    }

    private mutating func readMembers(_ path: Path) throws(MessageError) -> RowMembers {
        var row = RowMembers()
        try members { (it, name) throws(MessageError) in
            switch name {
            case "key": try it.read(into: &row.key, path, "key")
            case "before": try it.read(into: &row.before, path, "before")
            case "after": try it.read(into: &row.after, path, "after")
            case "at": try it.read(into: &row.at, path, "at")
            case "fields":
                guard row.fields == nil else { throw .repeated(path("fields")) }
                row.fields = try it.readFields(path)
            default: try it.skip()
            }
        }
        return row
    }

    private mutating func read(
        into value: inout FieldValue, _ path: Path, _ name: StaticString
    ) throws(MessageError) {
        guard case .absent = value else { throw .repeated(path(name)) }
        value = try readValue()
    }

    private mutating func readFields(_ path: Path) throws(MessageError) -> Fields? {
        switch try peek() {
        case .null:
            try skip()
            return nil
        case .object: break
        default: throw try mismatch(path("fields"), "an object")
        }
        let fields = try json { (reader) throws(JSONError) in try reader.readFields() }
        guard fields.bytes.count <= limits.rowBytes else {
            throw MessageError(
                code: .tooLarge,
                message: "\(path("fields")): has \(fields.bytes.count) bytes; at most \(limits.rowBytes) are allowed.")
        }
        return fields
    }

    // MARK: Checks

    private mutating func key(_ value: FieldValue, _ path: @autoclosure () -> String) throws(MessageError) -> Key {
        guard case .text(let text) = value, 1...limits.keyBytes ~= text.utf8Count else {
            throw MessageError(path: path(), expected: "a string of 1 to \(limits.keyBytes) bytes", came: value)
        }
        let key = Key(text.string)
        guard keys.insert(key).inserted else {
            throw MessageError(code: .badField, message: "\(path()): the key \(value) came before. Send each once.")
        }
        guard keys.count <= limits.rows else {
            throw MessageError(
                code: .tooLarge, message: "\(path()): a push may have \(limits.rows) rows. Send the others in another.")
        }
        return key
    }

    private func place(_ row: RowMembers, _ path: Path) throws(MessageError) -> Place {
        let named = [row.before, row.after, row.at].filter { !$0.isNothing }
        guard named.count <= 1 else {
            throw MessageError(
                code: .badField, message: "\(path("at")): send only one of \"before\", \"after\" and \"at\".")
        }
        if !row.before.isNothing { return .before(try anchor(row.before, path("before"))) }
        if !row.after.isNothing { return .after(try anchor(row.after, path("after"))) }
        switch row.at {
        case .absent, .null: return .kept
        case .text(let text) where text == "top": return .first
        case .text(let text) where text == "end": return .last
        default: throw MessageError(path: path("at"), expected: "\"top\" or \"end\"", came: row.at)
        }
    }

    private func anchor(_ value: FieldValue, _ path: @autoclosure () -> String) throws(MessageError) -> Key {
        guard case .text(let text) = value, 1...limits.keyBytes ~= text.utf8Count else {
            throw MessageError(path: path(), expected: "the key of a row", came: value)
        }
        return Key(text.string)
    }
}

/// What stands in a row of a push.
private struct RowMembers {
    var key = FieldValue.absent
    var fields: Fields?
    var before = FieldValue.absent
    var after = FieldValue.absent
    var at = FieldValue.absent
}

/// A row's position in the body: names its members for messages, and costs nothing until one is wrong.
private struct Path {
    /// Nil: the body is the row.
    var index: Int?

    func callAsFunction(_ name: StaticString) -> String { index.map { "set[\($0)].\(name)" } ?? "\(name)" }
}

extension PushReader {
    private mutating func members(
        _ read: (inout PushReader, JSONText) throws(MessageError) -> Void
    ) throws(MessageError) {
        try json { (reader) throws(JSONError) in try reader.beginObject() }
        while let name = try json({ (reader) throws(JSONError) in try reader.nextMember() }) { try read(&self, name) }
    }

    private mutating func readValue() throws(MessageError) -> FieldValue {
        try json { (reader) throws(JSONError) in try FieldValue(from: &reader) }
    }

    private mutating func skip() throws(MessageError) {
        try json { (reader) throws(JSONError) in try reader.skipValue() }
    }

    private mutating func peek() throws(MessageError) -> JSONKind {
        try json { (reader) throws(JSONError) in try reader.peek() }
    }

    /// The error of the value that comes next.
    private mutating func mismatch(_ path: String, _ expected: String) throws(MessageError) -> MessageError {
        MessageError(path: path, expected: expected, came: try readValue())
    }

    private mutating func json<Value>(
        _ read: (inout JSONReader) throws(JSONError) -> Value
    ) throws(MessageError) -> Value {
        do {
            return try read(&reader)
        } catch {
            throw MessageError(
                code: .badJSON,
                message: "Cannot read the body as JSON: at byte \(error.offset) there should be \(error.expected).")
        }
    }
}

extension MessageError {
    fileprivate init(path: String, expected: String, came value: FieldValue) {
        let message =
            if case .absent = value {
                "\(path): is missing; it should be \(expected)."
            } else {
                "\(path): should be \(expected), not \(value)."
            }
        self.init(code: .badField, message: message)
    }

    fileprivate static func repeated(_ path: String) -> MessageError {
        MessageError(code: .badField, message: "\(path): came twice. Send it once.")
    }
}
