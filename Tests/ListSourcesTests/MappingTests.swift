import KeyedLists
import Testing

@testable import ListSources

/// How columns are named, and what is made of them.
struct MappingTests {
    /// The examples of RFC 6901 §5, of which each leads to the number beside it.
    @Test(
        arguments: [
            ("/foo/0", "bar"), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"),
            (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"), ("/foo/2", nil), ("/foo/00", nil),
            ("/foo/-", nil), ("/none", nil), ("/a~1b/0", nil),
        ] as [(String, String?)])
    func aPointerLeadsWhereTheStandardSays(text: String, value: String?) throws {
        let document = #"""
            {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}
            """#
        let pointer = try #require(JSONPointer(text))
        #expect(try JSONRecord(Array(document.utf8))[pointer] == value.map(Cell.text))
        #expect(pointer.description == text)
    }

    @Test(arguments: ["foo", "/a~", "/a~2", "a/b"])
    func otherTextsAreNoPointers(text: String) {
        #expect(JSONPointer(text) == nil)
    }

    @Test(arguments: 1...200)
    func anyWayIsWrittenAndReadBack(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let marks = ["~", "/", "~0", "~1", "é", "e\u{301}", "", " ", "0", "{", "\u{308}"]
        let tokens = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            (0..<Int.random(in: 0...3, using: &random)).map { _ in marks.randomElement(using: &random)! }.joined()
        }
        let read = JSONPointer(JSONPointer(tokens).description)
        #expect(read.map { $0.tokens.map { Array($0.utf8) } } == tokens.map { Array($0.utf8) }, "seed \(seed)")
    }

    @Test(
        arguments: [
            ("3", .number(3)), ("3-", .rest(3)), ("PID", .name("PID")), ("-3", .name("-3")), ("0", nil), ("", nil),
            ("/a/b", .pointer(JSONPointer(["a", "b"]))), ("/a~", nil), ("{a", nil), ("a}", nil), ("{}", nil),
            ("{{a}}", .template(TextTemplate("{{a}}")!)), ("{a} {2-}", .template(TextTemplate("{a} {2-}")!)),
        ] as [(String, SourceColumn?)])
    func aColumnIsANumberARestANameAPointerOrAText(text: String, column: SourceColumn?) {
        #expect(SourceColumn(text) == column)
        if let column { #expect(column.description == text) }
    }

    @Test func theColumnOfTheSectionLeavesTheOtherFieldsAsTheyAreByDefault() throws {
        let section = FieldMapping([.section: .name("team")])
        let json = RowLayout(.json, fields: section)
        let row = try #require(try RowReader.rows(Array(#"[{"title": "Ada", "team": "Red"}]"#.utf8), json).first)
        #expect(row.title == "Ada" && row.section == "Red")
        let table = try RowReader.rows(Array("team,title\nRed,Ada".utf8), RowLayout(.csv, fields: section))
        #expect(table.map(\.fields) == [row.fields])
        let untitled = try RowReader.rows(Array("name,team\nAda,Red".utf8), RowLayout(.csv, fields: section))
        #expect(untitled.map(\.title) == ["Ada"] && untitled.map(\.section) == ["Red"])
        let plain = try RowReader.rows(Array(#"[{"title": "Ada", "section": "Red"}]"#.utf8), RowLayout(.json))
        #expect(plain.map(\.section) == [nil])
    }

    @Test(
        arguments: [
            ("{a} of {b}", "1 of x y"), ("{b}{b}", "x yx y"), ("{{{a}}}", "{1}"), ("{a}, {none}", "1, "),
            ("{none}{nothing}", nil), ("plain", "plain"), ("{/c/0}", "deep"),
        ] as [(String, String?)])
    func aTextIsFilledWithItsColumns(text: String, filled: String?) throws {
        let row = try row(#"{"a": 1, "b": "x y", "c": ["deep"]}"#, [.title: .template(TextTemplate(text)!)])
        #expect(row.text("title") == filled)
    }

    @Test
    func whatIsPutIntoALinkIsEncodedUnlessItIsItsBeginning() throws {
        let json = #"{"url": "https://a.example/?q=1", "name": "R&D é/x"}"#
        let row = try row(
            json,
            [
                .title: .name("name"), .link: .template(TextTemplate("https://b.example/{name}?")!),
                .image: .template(TextTemplate("{url}&size=2")!),
            ])
        #expect(row.text("link") == "https://b.example/R%26D%20%C3%A9/x?")
        #expect(row.text("image") == "https://a.example/?q=1&size=2")
    }

    @Test
    func aKeyOfSeveralColumnsNeedsThemAll() throws {
        let layout = RowLayout(.jsonl, fields: [.key: .template(TextTemplate("{org}/{id}")!), .title: .name("id")])
        #expect(try RowReader.titles(#"{"org":"a","id":1}"#, layout) == ["a/1: 1"])
        let fault = RowReader.fault(#"{"id":1,"name":"x"}"#, layout)
        #expect(fault?.message == "Line 1 of the output has no key ({org}/{id}).")
        #expect(fault?.detail == "It has: id, name")
    }

    @Test
    func aPointerNamesAColumnOfATable() throws {
        let byName = RowLayout(.csv, fields: [.title: .pointer(JSONPointer(["{odd}"]))])
        let byNumber = RowLayout(.csv, fields: [.title: .pointer(JSONPointer(["1"]))])
        #expect(try RowReader.titles("x,{odd}\n1,a", byName).map { $0.suffix(1) } == ["a"])
        #expect(try RowReader.titles("1,a", byNumber).map { $0.suffix(1) } == ["a"])
    }

    @Test
    func wholeNumbersKeepTheirDigits() throws {
        let layout = RowLayout(.jsonl, fields: [.key: .name("id"), .title: .name("n")])
        let text = #"{"id":9007199254740993,"n":1.50}"# + "\n" + #"{"id":9007199254740992,"n":1e2}"#
        #expect(try RowReader.titles(text, layout) == ["9007199254740993: 1.5", "9007199254740992: 100"])
    }

    private func row(_ json: String, _ fields: FieldMapping) throws -> ListRow {
        try #require(try RowReader.rows(Array(json.utf8), RowLayout(.jsonl, fields: fields)).first)
    }
}
