import KeyedLists

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
