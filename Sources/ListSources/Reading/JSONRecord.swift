package import KeyedLists

/// A JSON value, read in place: what is not asked for is not made.
///
/// A whole number keeps its digits, however many: as a double, two neighbours of 64 bits would be one key.
package struct JSONRecord {
    let bytes: [UInt8]

    /// - Throws: `JSONError` if the bytes are not one JSON value.
    package init(_ bytes: [UInt8]) throws(JSONError) {
        try JSONReader.read(bytes) { (reader) throws(JSONError) in
            try reader.skipValue()
            try reader.finish()
        }
        self.bytes = bytes
    }

    /// Takes bytes that were read before, and found to be one JSON value.
    init(checked bytes: [UInt8]) {
        self.bytes = bytes
    }

    var kind: JSONKind { read { (reader) throws(JSONError) in try reader.peek() } }

    /// The names of an object's members, in order; of another value none.
    var names: [String] {
        read { (reader) throws(JSONError) in
            guard try reader.peek() == .object else { return [] }
            var names: [String] = []
            try reader.beginObject()
            while let name = try reader.nextMember() {
                names.append(name.string)
                try reader.skipValue()
            }
            return names
        }
    }

    /// The text of a value that is neither null nor of others.
    var plainText: String? {
        if case .text(let text) = self[JSONPointer([])] { text } else { nil }
    }

    /// What is at the end of the way; nil for null, and where the way leads nowhere.
    package subscript(pointer: JSONPointer) -> Cell? {
        read { (reader) throws(JSONError) in try reader.find(pointer) ? try cell(&reader) : nil }
    }

    private func cell(_ reader: inout JSONReader) throws(JSONError) -> Cell? {
        switch try reader.peek() {
        case .null: return nil
        case .object, .array: return .structure
        case .string: return .text(try reader.readString())
        case .bool: return .text(try reader.readBool() ? "true" : "false")
        case .number:
            let start = reader.offset
            let number = try reader.readNumber()
            let digits = bytes[start..<reader.offset]
            let isWhole = digits.dropFirst().allSatisfy { (48...57).contains($0) }
            return .text(
                String(
                    decoding: isWhole || !number.isFinite ? Array(digits) : JSONValue.number(number).canonical,
                    as: UTF8.self))
        }
    }

    func read<Result>(_ body: (inout JSONReader) throws(JSONError) -> Result) -> Result {
        do {
            return try JSONReader.read(bytes, body)
        } catch {
            preconditionFailure("A record was made of bytes that were not checked: \(error)")
        }
    }
}

extension JSONReader {
    /// Goes to the value that a pointer leads to; false where there is none. Of members with one name the first counts.
    mutating func find(_ pointer: JSONPointer) throws(JSONError) -> Bool {
        for token in pointer.tokens {
            switch try peek() {
            case .object: guard try enter(member: token) else { return false }
            case .array:
                guard let element = JSONPointer.element(token), try enter(element: element) else { return false }
            default: return false
            }
        }
        return true
    }

    private mutating func enter(member token: String) throws(JSONError) -> Bool {
        let key = Key(token)
        try beginObject()
        while let name = try nextMember() {
            if Key(name.string) == key { return true }
            try skipValue()
        }
        return false
    }

    private mutating func enter(element number: Int) throws(JSONError) -> Bool {
        try beginArray()
        var left = number
        while try nextElement() {
            if left == 0 { return true }
            left -= 1
            try skipValue()
        }
        return false
    }
}

/// Where values lie among the bytes of a record.
extension JSONRecord {
    /// The value that a pointer leads to; nil where that is nowhere.
    func range(at pointer: JSONPointer) -> Range<Int>? {
        read { (reader) throws(JSONError) in try reader.find(pointer) ? try reader.range() : nil }
    }

    /// The elements of the array that a pointer leads to; of another value none.
    func elements(at pointer: JSONPointer) -> [Range<Int>] {
        read { (reader) throws(JSONError) in
            guard try reader.find(pointer), try reader.peek() == .array else { return [] }
            var ranges: [Range<Int>] = []
            try reader.beginArray()
            while try reader.nextElement() { ranges.append(try reader.range()) }
            return ranges
        }
    }
}

extension JSONReader {
    /// Passes over the value that comes next, and gives its bytes' place.
    fileprivate mutating func range() throws(JSONError) -> Range<Int> {
        // White space is skipped by looking.
        _ = try peek()
        let start = offset
        try skipValue()
        return start..<offset
    }
}

/// One document of JSON, gathered until it is whole, and the rows in it.
struct JSONDocument {
    /// Why there are no rows where they should be.
    enum Fault: Error {
        case notJSON(JSONError, at: TextPosition, [UInt8])
        /// Nothing is there; what the last object or array on the way has instead.
        case nothing(has: [String])
        /// It is no array; where the document has some.
        case noArray(JSONKind, arrays: [JSONPointer])
    }

    private(set) var bytes: [UInt8] = []

    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Hands over each element of the array at `rows`.
    func read(rows: JSONPointer, each: (Record) throws -> Void) throws {
        let elements = try elements(of: rows)
        var place = TextPosition.Counter()
        for (index, range) in elements.enumerated() {
            let line = place.place(at: range.lowerBound, in: bytes).line
            try each(
                Record(place: .row(index + 1, line: line), content: .json(JSONRecord(checked: Array(bytes[range])))))
        }
    }

    /// Checks the whole document and finds the elements of the array.
    private func elements(of rows: JSONPointer) throws(Fault) -> [Range<Int>] {
        let document: JSONRecord
        do {
            document = try JSONRecord(bytes)
        } catch {
            throw .notJSON(error, at: TextPosition(at: error.offset, in: bytes), Array(bytes.prefix(80)))
        }
        guard let array = document.value(at: rows) else {
            throw .nothing(has: document.names(near: rows))
        }
        guard array.kind == .array else { throw .noArray(array.kind, arrays: document.arrays) }
        return document.elements(at: rows)
    }
}

extension JSONRecord {
    /// The value that a pointer leads to.
    fileprivate func value(at pointer: JSONPointer) -> JSONRecord? {
        range(at: pointer).map { JSONRecord(checked: Array(bytes[$0])) }
    }

    /// What the last object on the way to a pointer that leads nowhere has.
    fileprivate func names(near pointer: JSONPointer) -> [String] {
        var tokens = pointer.tokens
        while tokens.popLast() != nil {
            if let value = value(at: JSONPointer(tokens)) { return value.names }
        }
        return []
    }

    /// Where an object has arrays, two steps down at most.
    fileprivate var arrays: [JSONPointer] {
        names.flatMap { name -> [JSONPointer] in
            guard let value = value(at: JSONPointer([name])) else { return [] }
            if value.kind == .array { return [JSONPointer([name])] }
            return value.names.compactMap { inner in
                value.value(at: JSONPointer([inner]))?.kind == .array ? JSONPointer([name, inner]) : nil
            }
        }
    }
}
