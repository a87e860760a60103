import KeyedLists
import Testing

@testable import ListSources

/// Documents of JSON, and where in them the rows are.
struct JSONRowsTests {
    @Test
    func theRowsAreTheArrayOrLieWhereAPointerLeads() throws {
        let layout = RowLayout(.json, fields: [.key: .name("id"), .title: .pointer(JSONPointer(["name", "first"]))])
        var deep = layout
        deep.rows = JSONPointer(["data", "0", "items"])
        let rows = #"[{"id": 1, "name": {"first": "Ada"}}, {"id": 2}]"#
        #expect(try RowReader.titles(rows, layout) == ["1: Ada", "2: -"])
        #expect(try RowReader.titles(#"{"data": [{"items": \#(rows)}]}"#, deep) == ["1: Ada", "2: -"])
        #expect(try RowReader.titles(" [ ] ", layout).isEmpty)
    }

    @Test
    func aRowThatIsATextIsItsTitle() throws {
        #expect(
            try RowReader.titles(#"["a", 7, true]"#, RowLayout(.json)).map { $0.split(separator: " ")[1] } == [
                "a", "7", "true",
            ])
    }

    @Test
    func membersOfTheFieldsNamesNeedNoMapping() throws {
        #expect(try RowReader.titles(#"[{"key": "k", "title": "T", "other": {}}]"#, RowLayout(.json)) == ["k: T"])
    }

    @Test(arguments: [
        ("[1, 2", "", "Line 1, column 6 of the output is not JSON: there should be a comma or the end of the array."),
        ("{\n  \"é\": x\n}", "", "Line 2, column 8 of the output is not JSON: there should be a value."),
        ("", "", "Line 1, column 1 of the output is not JSON: there should be a value."),
        ("<html>", "", "Line 1, column 1 of the output is not JSON: there should be a value."),
        ("{}", "", "The output is an object. An array of rows is expected."),
        (#"{"a": "b"}"#, "/a", "What is at /a of the output is a text. An array of rows is expected."),
        ("{}", "/data", "There is nothing at /data of the output. An array of rows is expected."),
        ("[null]", "", "Row 1 (line 1) of the output is null. An object is expected."),
        (
            "[{\"title\": 1},\n {\"id\": 1}]", "",
            "Row 2 (line 2) of the output has no title: say with fields which of its members is shown."
        ),
        (
            "[{\"title\": 1, \"key\": 5},\n {\"title\": 1, \"key\": 5}]", "",
            "Two rows have the key “5”: lines 1 and 2 of the output."
        ),
    ])
    func aFaultIsToldWithItsPlace(text: String, rows: String, message: String) throws {
        let layout = RowLayout(.json, rows: try #require(JSONPointer(rows)))
        #expect(RowReader.fault(text, layout)?.message == message)
    }

    @Test
    func theLogSaysWhereTheRowsMayBe() throws {
        let text = #"{"meta": {"tags": []}, "items": [], "name": 1}"#
        let nothing = RowReader.fault(text, RowLayout(.json, rows: JSONPointer(["meta", "items"])))
        #expect(nothing?.detail == "There are: tags")
        #expect(
            RowReader.fault(text, RowLayout(.json))?.detail
                == "There are arrays in it. Say which has the rows: rows: /meta/tags, rows: /items")
    }

    @Test
    func aRowOfAnotherKindThanAnObjectIsToldWhereFieldsAreMapped() {
        let layout = RowLayout(.json, fields: [.title: .name("a")])
        #expect(
            RowReader.fault("[3]", layout)?.message
                == "Row 1 (line 1) of the output is a number. An object is expected.")
    }
}
