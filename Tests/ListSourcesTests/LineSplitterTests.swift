import Testing

@testable import ListSources

struct LineSplitterTests {
    @Test(arguments: 1...12)
    func linesAreTheSameHoweverTheyArrive(pieceLength: Int) throws {
        #expect(try lines("one\r\ntwo\n\nthree", pieceLength: pieceLength) == ["one", "two", "", "three"])
    }

    @Test
    func aLineBeyondTheLimitIsAnError() {
        #expect(throws: LineTooLong(limit: 4)) { try lines("12345", pieceLength: 3, limit: 4) }
        #expect(throws: LineTooLong(limit: 4)) { try lines("12345\n", pieceLength: 10, limit: 4) }
    }

    private func lines(_ text: String, pieceLength: Int, limit: Int = 100) throws -> [String] {
        var splitter = LineSplitter(limit: limit)
        var lines: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieceLength) {
            try bytes[start..<min(start + pieceLength, bytes.count)].withUnsafeBytes {
                try splitter.append($0) { lines.append(String(decoding: $0, as: UTF8.self)) }
            }
        }
        try splitter.finish { lines.append(String(decoding: $0, as: UTF8.self)) }
        return lines
    }
}
