import KeyedLists
import Testing

@testable import ListSources

/// RFC 4180, and what is found in the wild.
struct CSVReaderTests {
    @Test(
        arguments: [
            ("a,b\nc,d\n", "a|b c|d"), ("a,b\r\nc,d", "a|b c|d"), ("a,b\rc,d\r", "a|b c|d"),
            ("\u{FEFF}a,b", "a|b"), ("a;b\nc;1,5", "a|b c|1,5"), ("a\tb\n1,2\t3", "a|b 1,2|3"),
            ("sep=;\r\na,b;c", "a,b|c"), ("SEP=|\na|b", "a|b"), ("one\ntwo", "one two"),
            (#""a,b","c""d""#, #"a,b|c"d"#), ("\"a\nb\",c\nd,e", "a\nb|c d|e"), ("\"a;b;c\",d", "a;b;c|d"),
            (#"5" disk,x"#, #"5" disk|x"#), (#""a" , "b""#, "a|b"), (#"a, "b,c""#, "a|b,c"),
            (",a,\n,,\n\nb", "|a| b"), (#"a,"""#, "a|"), ("", ""), ("\n\n", ""),
        ])
    func aVariantIsReadAsItIsMeant(text: String, records: String) throws {
        for pieces in [1, 2, 3, 100] { #expect(try Self.read(text, pieces: pieces).joined(separator: " ") == records) }
    }

    @Test(arguments: [
        ("a,b\n\"c,d", "Line 2, column 1 of the output: a quote is opened that nothing closes."),
        (
            "a\n\"b\"c",
            "Line 2, column 4 of the output: text follows a quote that closes; "
                + "a quote within quotes is doubled."
        ),
        (
            "é,\"x\ny\" z",
            "Line 2, column 4 of the output: text follows a quote that closes; "
                + "a quote within quotes is doubled."
        ),
        ("sep=|\r\na|\u{0}", "Line 2 of the output is not text: it has a zero byte."),
        ("a\r\n\u{0}", "Line 2 of the output is not text: it has a zero byte."),
        (
            "a\n\n" + String(repeating: "x", count: 300_000),
            "Line 3, column 1 of the output: a record begins that is longer than 256 KiB."
        ),
    ])
    func aFaultHasItsLineAndColumn(text: String, message: String) {
        for pieces in [1, 100, .max] {
            let error = #expect(throws: SourceError.self) {
                try RowReader.rows(Array(text.utf8), RowLayout(.csv), pieces: pieces)
            }
            #expect(error?.message == message, "\(pieces)")
        }
    }

    @Test
    func aHeaderWithATitleMapsItself() throws {
        #expect(try RowReader.titles("title;key;other\nA;1;x\nB;2;y", RowLayout(.csv)) == ["1: A", "2: B"])
        #expect(try RowReader.titles("A,x\nB,y", RowLayout(.csv)).map { $0.suffix(1) } == ["A", "B"])
    }

    @Test
    func aShortRecordLacksItsLastCells() throws {
        let layout = RowLayout(.csv, fields: [.title: .name("a"), .subtitle: .name("b")])
        let row = try #require(try RowReader.rows(Array("a,b\n1".utf8), layout).first)
        #expect(row.text("title") == "1" && row.fields["subtitle"] == nil)
    }

    /// What a writer that quotes as RFC 4180 says has written is read back, in pieces of any size.
    @Test(arguments: 1...300)
    func anyTableIsReadBack(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let marks = ["a", "é", "\"", ",", "\n", "\r\n", " ", ";", "\t", "", "x"]
        let width = Int.random(in: 2...4, using: &random)
        var table = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            (0..<width).map { _ in
                (0..<Int.random(in: 0...5, using: &random)).map { _ in marks.randomElement(using: &random)! }.joined()
            }
        }
        table[0] = (0..<width).map { "column\($0)" }
        let end = ["\n", "\r\n", "\r"].randomElement(using: &random)!
        let separator = [",", ";", "\t"].randomElement(using: &random)!
        let text = table.map { record in
            record.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: separator) + end
        }.joined()
        let read = try Self.read(text, pieces: Int.random(in: 1...9, using: &random))
        let kept = table.filter { $0.contains { !$0.isEmpty } }.map { $0.joined(separator: "|") }
        #expect(read.map { Array($0.utf8) } == kept.map { Array($0.utf8) }, "seed \(seed)")
    }

    /// Each record, its cells set apart by bars.
    private static func read(_ text: String, pieces: Int) throws -> [String] {
        var reader = RecordReader(RowLayout(.csv), of: "the output")
        var records: [String] = []
        let take: (Record) -> Void = { record in
            if case .table(let cells) = record.content { records.append(cells.joined(separator: "|")) }
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try Array(rest.prefix(pieces)).withUnsafeBytes { try reader.append($0, each: take) }
            rest = rest.dropFirst(pieces)
        }
        try reader.finish(each: take)
        return records
    }
}
