import KeyedLists

/// One document of JSON, gathered until it is whole, and the rows in it.
struct JSONDocument {
    /// Why there are no rows where they should be.
    enum Fault: Error {
        case notJSON(JSONError, at: TextPlace, [UInt8])
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
        var place = TextPlace.Counter()
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
            throw .notJSON(error, at: TextPlace(at: error.offset, in: bytes), Array(bytes.prefix(80)))
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
