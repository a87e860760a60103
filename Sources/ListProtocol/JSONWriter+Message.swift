import KeyedLists

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
