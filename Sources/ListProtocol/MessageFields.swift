import KeyedLists

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
    private(set) var session = FieldValue.absent
    private(set) var token = FieldValue.absent
    /// The first field that came twice.
    private(set) var repeated: String?

    /// Reads the whole message. After an error, what was read before it is here: the `id`, perhaps.
    mutating func read(_ reader: inout JSONReader) throws(JSONError) {
        try reader.beginObject()
        while let name = try reader.nextMember() {
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
            case "session": set(\.session, name, value)
            case "token": set(\.token, name, value)
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
