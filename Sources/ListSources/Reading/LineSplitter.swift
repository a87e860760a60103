/// Cuts bytes that arrive in pieces into lines. A line ends with LF or CR LF; the last one may go without.
package struct LineSplitter {
    /// The longest line that is read, in bytes.
    package let limit: Int
    private var rest: [UInt8] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// Hands every line that is whole now to `body`, without its end.
    ///
    /// - Throws: what `body` throws, and `LineTooLong`.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, each body: ([UInt8]) throws -> Void) throws {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            rest.append(contentsOf: bytes[start..<end])
            start = end + 1
            try body(takeLine())
        }
        rest.append(contentsOf: bytes[start...])
        if rest.count > limit { throw LineTooLong(limit: limit) }
    }

    /// Hands over the line that the output ended in, if it did not end in a line's end.
    package mutating func finish(each body: ([UInt8]) throws -> Void) throws {
        if !rest.isEmpty { try body(takeLine()) }
    }

    private mutating func takeLine() throws -> [UInt8] {
        if rest.count > limit { throw LineTooLong(limit: limit) }
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        defer { rest.removeAll(keepingCapacity: true) }
        return rest
    }
}
