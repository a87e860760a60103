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

    /// A writer that appends to `bytes`. Pass them with `consume`, else they are copied.
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

extension JSONWriter {
    /// Writes a string, escaped as RFC 8785 §3.2.2.2 defines: only where necessary, in the shortest form.
    public mutating func value(_ text: String) {
        var text = text
        text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string read from JSON; one without escapes is already as it should be.
    mutating func value(_ text: JSONText) {
        guard text.hasEscapes else {
            separate()
            bytes.append(UInt8(ascii: "\""))
            append(text.raw)
            bytes.append(UInt8(ascii: "\""))
            return
        }
        value(text.string)
    }

    /// Writes a text that is UTF-8.
    package mutating func value(utf8 text: UnsafeRawBufferPointer) { string(text) }

    private mutating func string(_ text: UnsafeRawBufferPointer) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        var offset = 0
        while offset < text.count {
            if offset + 8 <= text.count, text.word(at: offset).isPlainText {
                offset += 8
                continue
            }
            if text[offset].mustBeEscaped {
                append(UnsafeRawBufferPointer(rebasing: text[start..<offset]))
                escape(text[offset])
                start = offset + 1
            }
            offset += 1
        }
        append(UnsafeRawBufferPointer(rebasing: text[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
            bytes.append((byte >> 4).hexadecimalDigit)
            bytes.append((byte & 0xF).hexadecimalDigit)
        }
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var mustBeEscaped: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }

    /// The lower-case digit of a value below 16.
    fileprivate var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10
    }
}

extension JSONWriter {
    /// Writes a whole number, all of its digits. Beyond 2^53 a reader of JavaScript gets another.
    public mutating func value(_ integer: Int) {
        separate()
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(of: UInt64(integer.magnitude))
    }

    /// Writes a number as ECMAScript's `Number::toString` does, which RFC 8785 §3.2.2.3 asks for: `61.5`, `100`, `1e+21`.
    ///
    /// One that is not finite, which JSON has no form for, becomes `null`, as `JSON.stringify` has it.
    public mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        if number.magnitude <= 0x1p53, Double(Int(number)) == number { return value(Int(number)) }
        separate()
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        decimal(Decimal(number.magnitude))
    }

    private mutating func decimal(_ decimal: Decimal) {
        let digits = decimal.digits
        let point = decimal.point
        switch point {
        case digits.count...21:
            bytes.append(contentsOf: digits)
            zeros(point - digits.count)
        case 1...21:
            bytes.append(contentsOf: digits[..<point])
            bytes.append(UInt8(ascii: "."))
            bytes.append(contentsOf: digits[point...])
        case -5...0:
            raw(ending: "0.")
            zeros(-point)
            bytes.append(contentsOf: digits)
        default:
            bytes.append(digits[0])
            if digits.count > 1 { bytes.append(UInt8(ascii: ".")) }
            bytes.append(contentsOf: digits[1...])
            raw(ending: point > 0 ? "e+" : "e-")
            self.digits(of: UInt64((point - 1).magnitude))
        }
    }

    private mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: count))
    }

    private mutating func raw(ending text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func digits(of value: UInt64) {
        // 2^64 has 20 digits.
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { buffer in
            var start = 20
            var rest = value
            repeat {
                start -= 1
                buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            append(UnsafeRawBufferPointer(rebasing: buffer[start...]))
        }
    }
}

/// A positive number in the fewest digits that identify it: 0.`digits` × 10^`point`.
private struct Decimal {
    var digits: [UInt8] = []
    var point = 0

    /// Takes the digits from Swift's description, which are the fewest, and of those the closest, as ECMAScript's are.
    init(_ number: Double) {
        var exponent = 0
        var fraction: Int?
        let description = number.description.utf8
        for (offset, byte) in zip(description.indices, description) {
            if byte == UInt8(ascii: "e") {
                exponent = Int(String(description[description.index(after: offset)...])!) ?? 0
                break
            }
            if byte == UInt8(ascii: ".") { fraction = digits.count } else { digits.append(byte) }
        }
        point = (fraction ?? digits.count) + exponent
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(leadingZeros)
        point -= leadingZeros
    }
}
