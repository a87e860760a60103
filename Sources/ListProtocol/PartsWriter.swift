import KeyedLists

/// Writes messages that share a head and consist of arrays, and begins another whenever one is full.
///
///     head , "set" : [ entry , entry … ] , "remove" : [ … ] , "count" : n , "last" : true }
///
/// Each part has all arrays, empty or not; entries go to one array after the other.
struct PartsWriter {
    /// Room kept for what ends a part: the arrays still to come, a count of 16 digits, `last`.
    private static let tail = 64

    private let head: [UInt8]
    private let arrays: [StaticString]
    private let limit: Int
    private var finished: [[UInt8]] = []
    private var part = JSONWriter()
    private var array = 0
    private var isPartEmpty = true

    /// - Parameters:
    ///   - head: an object that is open, with at least one member.
    ///   - arrays: their names, one or more.
    init(head: [UInt8], arrays: [StaticString], limit: Int) {
        self.head = head
        self.arrays = arrays
        self.limit = limit
        open()
    }

    /// Writes one entry, which is never cut, to the current array.
    @inline(__always)
    mutating func entry(_ write: (inout JSONWriter) -> Void) {
        let start = part.bytes.count
        write(&part)
        if part.bytes.count + Self.tail > limit, !isPartEmpty { carry(from: start) }
        isPartEmpty = false
    }

    /// Goes on to the next array.
    mutating func nextArray() {
        array += 1
        part.endArray()
        openArray()
    }

    /// Ends the last part, and returns all. It says `last` unless told otherwise.
    consuming func finish(count: Int? = nil, isLast: Bool = true) -> [[UInt8]] {
        close(count: count, isLast: isLast)
        return finished
    }

    /// Ends the part at `start`, and begins another with the entry that was written from there.
    private mutating func carry(from start: Int) {
        var entry = part.bytes[start...]
        if entry.first == UInt8(ascii: ",") { entry.removeFirst() }
        part.bytes.removeLast(part.bytes.count - start)
        let current = array
        close(count: nil, isLast: false)
        open()
        while array < current { nextArray() }
        part.bytes.append(contentsOf: entry)
    }

    private mutating func open() {
        array = 0
        isPartEmpty = true
        part = JSONWriter(reserving: finished.isEmpty ? 0 : limit)
        part.bytes.append(contentsOf: head)
        openArray()
    }

    private mutating func openArray() {
        part.name(arrays[array])
        part.beginArray()
    }

    private mutating func close(count: Int?, isLast: Bool) {
        while array < arrays.count - 1 { nextArray() }
        part.endArray()
        part.member("count", count)
        part.member("last", isLast)
        part.endObject()
        finished.append(part.bytes)
        part = JSONWriter()
    }
}
