import KeyedLists
import ListProtocol

/// Rows that are pushed together, gathered from lines of JSON as `refresh --json` prints them:
///
///     {"key":"k","fields":{"title":"Tea"}}          set, where it is or on top
///     {"key":"m","fields":{…},"at":"end"}           or "before", "after" the row of a key
///     {"key":"z","fields":null}                     removed
///
/// A batch holds a key once, as a push does.
struct PushBatch {
    /// A line that can't be pushed.
    struct Fault: Error, CustomStringConvertible {
        var line: Int
        var problem: String

        var description: String { "Line \(line): \(problem)" }
    }

    /// Bytes of lines in one push; the server takes 1 MiB.
    static let limit = 512 * 1024

    private var set: [[UInt8]] = []
    private var removed: [Key] = []
    private var keys: Set<Key> = []
    private var size = 0

    /// How many rows it sets and removes.
    var count: Int { keys.count }

    /// Takes a line in, if it fits beside those there are.
    ///
    /// - Returns: Whether it did: else it belongs in the next batch.
    mutating func add(_ line: [UInt8], number: Int) throws -> Bool {
        let (key, isRemoval) = try Self.read(line, number)
        guard keys.isEmpty || (size + line.count <= Self.limit && keys.count < PushLimits().rows && !keys.contains(key))
        else { return false }
        keys.insert(key)
        size += line.count
        if isRemoval { removed.append(key) } else { set.append(line) }
        return true
    }

    /// The push, as `PATCH /lists/NAME` takes it.
    var body: [UInt8] {
        var json = JSONWriter(reserving: size + 64)
        json.beginObject()
        json.name("remove")
        json.beginArray()
        for key in removed { json.value(key) }
        json.endArray()
        json.name("set")
        json.beginArray()
        for row in set { json.raw(row) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// The server would find the same, but not know the line.
    private static func read(_ line: [UInt8], _ number: Int) throws(Fault) -> (key: Key, isRemoval: Bool) {
        guard case .object(let members) = try value(line, number) else {
            throw Fault(line: number, problem: "expected \(row).")
        }
        let isRemoval = members["fields"] == .null
        let key = (members["key"] ?? .null).canonical
        let push = Array((isRemoval ? "{\"remove\":[" : "{\"set\":[").utf8) + (isRemoval ? key : line)
        return (try self.key(push + Array("]}".utf8), number), isRemoval)
    }

    private static func value(_ line: [UInt8], _ number: Int) throws(Fault) -> JSONValue {
        let value: Result<JSONValue, JSONError> = Result { () throws(JSONError) in try JSONValue(json: line) }
        switch value {
        case .success(let value): return value
        case .failure(let error): throw Fault(line: number, problem: "\(error) Expected was \(row).")
        }
    }

    private static let row = #"an object like {"key":"k","fields":{…}}"#

    /// The one key of a push.
    private static func key(_ push: [UInt8], _ number: Int) throws(Fault) -> Key {
        let read: Result<PushRequest, MessageError> = Result { () throws(MessageError) in
            try PushRequest(decoding: push)
        }
        switch read {
        case .success(let push):
            guard let key = push.set.first?.key ?? push.remove.first else {
                throw Fault(line: number, problem: "there is no row in it.")
            }
            return key
        case .failure(let error): throw Fault(line: number, problem: inLine(error.message))
        }
    }

    /// A message about a push, as one about its only row.
    private static func inLine(_ message: String) -> String {
        message.replacing("set[0].", with: "").replacing("set[0]", with: "the row").replacing("remove[0]", with: "key")
    }
}
