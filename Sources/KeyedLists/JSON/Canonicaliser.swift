/// Turns JSON into the form of RFC 8785 while reading it: no tree is made, and what is canonical already is copied once.
///
/// Members are written as they come. Only where an object's names turn out not to be in order, its members are put in order
/// when it ends.
struct Canonicaliser {
    /// A member of an object that is still open, in `json.bytes`.
    private struct Member {
        var start: Int
        var nameEnd: Int
        var end = 0
        /// Where its name ended in what was read, for an error.
        var source: Int

        func name(in bytes: UnsafeRawBufferPointer) -> JSONText {
            let raw = UnsafeRawBufferPointer(rebasing: bytes[start + 1..<nameEnd - 1])
            return JSONText(raw: raw, hasEscapes: raw.contains(UInt8(ascii: "\\")))
        }
    }

    private(set) var json: JSONWriter
    /// The members of all open objects, the innermost last.
    private var members: [Member] = []

    init(reserving capacity: Int) {
        json = JSONWriter(reserving: capacity)
    }

    /// Reads any value, and writes it.
    mutating func value(from reader: inout JSONReader) throws(JSONError) {
        switch try reader.peek() {
        case .null:
            try reader.readNull()
            json.null()
        case .bool: json.value(try reader.readBool())
        case .number: try number(from: &reader)
        case .string: json.value(try reader.readText())
        case .array: try array(from: &reader)
        case .object: try object(from: &reader)
        }
    }

    /// Reads an object, and writes it.
    mutating func object(from reader: inout JSONReader) throws(JSONError) {
        let first = members.count
        var isSorted = true
        try reader.beginObject()
        json.beginObject()
        while let name = try reader.nextMember() {
            append(name, endingAt: reader.offset)
            if isSorted, members.count - first > 1 {
                isSorted = try comesFirst(members[members.count - 2], before: members[members.count - 1])
            }
            try value(from: &reader)
            members[members.count - 1].end = json.bytes.count
        }
        if !isSorted { try sortMembers(from: first) }
        members.removeSubrange(first...)
        json.endObject()
    }

    private mutating func array(from reader: inout JSONReader) throws(JSONError) {
        try reader.beginArray()
        json.beginArray()
        while try reader.nextElement() { try value(from: &reader) }
        json.endArray()
    }

    private mutating func number(from reader: inout JSONReader) throws(JSONError) {
        let number = try reader.readFiniteNumber()
        if number.isCanonical { json.raw(number.raw) } else { json.value(number.value) }
    }

    private mutating func append(_ name: JSONText, endingAt source: Int) {
        json.separate()
        let start = json.bytes.count
        json.value(name)
        members.append(Member(start: start, nameEnd: json.bytes.count, source: source))
        json.bytes.append(UInt8(ascii: ":"))
    }

    /// Puts the members of the innermost object in order, from this one on.
    private mutating func sortMembers(from first: Int) throws(JSONError) {
        var sorted = Array(members[first...])
        json.bytes.withUnsafeBytes { bytes in
            sorted.sort { $0.name(in: bytes).precedes($1.name(in: bytes)) }
        }
        for (member, next) in zip(sorted, sorted.dropFirst()) { _ = try comesFirst(member, before: next) }
        let start = members[first].start
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.bytes.count - start)
        for member in sorted {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: json.bytes[member.start..<member.end])
        }
        json.bytes.replaceSubrange(start..., with: bytes)
    }

    /// Whether the name of a member precedes that of another; an error if it is the same.
    private func comesFirst(_ member: Member, before other: Member) throws(JSONError) -> Bool {
        try json.bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            let bytes = UnsafeRawBufferPointer(buffer)
            let name = member.name(in: bytes)
            let otherName = other.name(in: bytes)
            // Both are written in the same way, escapes too.
            guard !name.raw.equals(otherName.raw) else {
                throw JSONError(
                    offset: max(member.source, other.source), expected: "no second member \"\(name.string)\"")
            }
            return name.precedes(otherName)
        }
    }
}

/// The order of RFC 8785 §3.2.3: by UTF-16 code units, told from the bytes of UTF-8.
enum UTF16Order {
    /// Whether one text comes before another.
    static func precedes(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        for offset in 0..<min(text.count, other.count) where text[offset] != other[offset] {
            return rank(text[offset]) < rank(other[offset])
        }
        return text.count < other.count
    }

    /// Where a byte, at which two texts first differ, stands among the others.
    ///
    /// The orders are the same but for scalars beyond the first plane, which begin with F0 to F4: their surrogates, D800 to
    /// DFFF, come before E000 to FFFF, which begin with EE and EF.
    private static func rank(_ byte: UInt8) -> UInt16 {
        switch byte {
        case 0xEE, 0xEF: UInt16(byte) + 0x100
        default: UInt16(byte)
        }
    }
}

extension Key {
    /// Whether this comes first in the order of RFC 8785.
    func precedes(_ other: Key) -> Bool {
        withBytes { bytes in other.withBytes { UTF16Order.precedes(bytes, $0) } }
    }
}

extension JSONText {
    /// Whether this comes first in the order of RFC 8785.
    func precedes(_ other: JSONText) -> Bool {
        guard hasEscapes || other.hasEscapes else { return UTF16Order.precedes(raw, other.raw) }
        return Key(string).precedes(Key(other.string))
    }
}
