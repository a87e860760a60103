import Testing

@testable import CommandSources
@testable import ListSources

struct ProgressLinesTests {
    @Test(
        arguments: [
            ("#progress 3/10 Reading mail", 3, 10, "Reading mail"),
            ("#progress 3/10", 3, 10, nil),
            ("#progress 3", 3, nil, nil),
            ("#progress 0/0  ", 0, nil, nil),
            ("#progress 12/10 more than expected", 12, 12, "more than expected"),
            ("#progress 3/10 ends in CR LF\r", 3, 10, "ends in CR LF"),
            ("#progress 3/10\r", 3, 10, nil),
            ("#progress   4/5\ttabs", 4, 5, "tabs"),
        ] as [(String, Int, Int?, String?)])
    func aMarkSaysHowFar(line: String, completed: Int, total: Int?, note: String?) throws {
        let mark = try #require(ProgressMark(Array(line.utf8)))
        #expect(mark.completed == completed)
        #expect(mark.total == total)
        #expect(mark.note == note)
    }

    @Test(arguments: [
        "#progress", "#progress soon", "#progress -1/3", "#progress 1/", "#progress 1/x", "#progress 1/2/3",
        "# progress 1/2", " #progress 1/2", "#Progress 1/2", "#progress 9007199254740993", "",
    ])
    func anotherLineIsARow(line: String) {
        #expect(ProgressMark(Array(line.utf8)) == nil)
    }

    @Test
    func aLongNoteIsCut() {
        let mark = ProgressMark(Array("#progress 1/2 \(String(repeating: "ü", count: 300))".utf8))
        #expect(mark?.note?.count == 120)
    }

    @Test(arguments: 1...12)
    func marksAreFoundHoweverTheBytesArrive(size: Int) {
        let text = "one\n#progress 1/3 a\n#progres\n#progress 2/3\r\n\n#\n#progress x\ntwo"
        #expect(Self.read(text, size, keepsLines: true) == ("one\n\n#progres\n\n\n#\n#progress x\ntwo", ["1", "2"]))
        #expect(Self.read(text, size, keepsLines: false) == ("one\n#progres\n\n#\n#progress x\ntwo", ["1", "2"]))
    }

    @Test
    func theLastMarkNeedsNoEnd() {
        #expect(Self.read("one\n#progress 3/3", 5, keepsLines: true) == ("one\n", ["3"]))
    }

    @Test
    func aLineThatIsNoMarkDoesNotWaitForItsEnd() {
        var lines = ProgressLines(keepsLines: true)
        #expect(Array("half a li".utf8).withUnsafeBytes { lines.append($0) } == Array("half a li".utf8))
    }

    /// A line that only begins as a mark costs no memory without end.
    @Test
    func aMarkWithoutEndIsNone() {
        let text = "#progress 1/2 " + String(repeating: "x", count: 5000)
        #expect(Self.read(text, 1000, keepsLines: true) == (text, []))
    }

    private static func read(_ text: String, _ size: Int, keepsLines: Bool) -> (String, [String]) {
        var lines = ProgressLines(keepsLines: keepsLines)
        var passed: [UInt8] = []
        var marks: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            passed += bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { lines.append($0) }
            if let mark = lines.takeMark() { marks.append("\(mark.completed)") }
        }
        passed += lines.finish()
        if let mark = lines.takeMark() { marks.append("\(mark.completed)") }
        return (String(decoding: passed, as: UTF8.self), marks)
    }
}
