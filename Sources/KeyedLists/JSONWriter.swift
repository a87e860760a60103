/// Writes JSON, compact and in the way of RFC 8785: each value has one form.
///
///     var json = JSONWriter()
///     json.beginObject()
///     json.member("type", "patch")
///     json.member("from", 418)
///     json.name("fields"); json.raw(row.fields.bytes)
///     json.endObject()
///     send(json.bytes)
///
/// Commas are written by themselves. That names come in the right order, and that what is begun is ended, is the
/// caller's to see to.
public struct JSONWriter: Sendable {
    /// What has been written. Whole values may be appended directly; then the next comma is still right.
    public var bytes: [UInt8]

    /// A writer with nothing written, and room for some.
    public init(reserving capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// A writer that goes on after `bytes`. Hand them over (`consume`), else they are copied.
    public init(continuing bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    /// Begins an object.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    /// Ends an object.
    public mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
    }

    /// Begins an array.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    /// Ends an array.
    public mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes the name of a member, which must need no escapes; its value follows.
    public mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes any name of a member; its value follows. A literal is taken for the other kind, which has nothing to escape.
    @_disfavoredOverload
    public mutating func name(_ name: Key) {
        value(name.string)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes `null`.
    public mutating func null() {
        raw("null")
    }

    /// Writes `true` or `false`.
    public mutating func value(_ bool: Bool) {
        raw(bool ? "true" : "false")
    }

    /// Writes the text of a key.
    public mutating func value(_ key: Key) {
        value(key.string)
    }

    /// Writes a finished piece of JSON that needs no escapes, as `null`.
    public mutating func raw(_ json: StaticString) {
        separate()
        append(UnsafeRawBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    /// Writes a finished value, as the bytes of fields are.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes a finished value.
    mutating func raw(_ json: UnsafeRawBufferPointer) {
        separate()
        append(json)
    }

    /// Writes a member whose value is text.
    public mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        value(text)
    }

    /// Writes a member whose value is a key.
    public mutating func member(_ name: StaticString, _ key: Key) {
        self.name(name)
        value(key.string)
    }

    /// Writes a member whose value is a whole number.
    public mutating func member(_ name: StaticString, _ integer: Int) {
        self.name(name)
        value(integer)
    }

    /// Writes a member whose value is a number.
    public mutating func member(_ name: StaticString, _ number: Double) {
        self.name(name)
        value(number)
    }

    /// Writes a member whose value is `true` or `false`.
    public mutating func member(_ name: StaticString, _ bool: Bool) {
        self.name(name)
        value(bool)
    }

    /// Writes a comma if one is due: after a finished value, which never ends in any of these.
    @inline(__always)
    mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","): return
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    @inline(__always)
    mutating func append(_ raw: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: raw)
    }
}
