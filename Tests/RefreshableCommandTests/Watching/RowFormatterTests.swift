import KeyedLists
import Testing

@testable import RefreshableCommand

struct RowFormatterTests {
    private let rows: [(key: Key, fields: Fields)] = [
        ("a", Fields(["title": "Alpha, first", "size": 3])),
        ("b\"", Fields(["title": "Two\nlines", "tags": ["x", "y"], "subtitle": nil])),
    ]

    @Test func jsonIsALineARow() {
        #expect(
            RowFormatter.json.lines(rows) == [
                #"{"fields":{"size":3,"title":"Alpha, first"},"key":"a"}"#,
                #"{"fields":{"subtitle":null,"tags":["x","y"],"title":"Two\nlines"},"key":"b\""}"#,
            ])
    }

    @Test func csvHasTheKnownFieldsFirstAndQuotesWhatNeedsIt() {
        #expect(
            RowFormatter.csv.lines(rows) == [
                "key,title,subtitle,size,tags",
                "a,\"Alpha, first\",,3,",
                "\"b\"\"\",\"Two\nlines\",,,\"[\"\"x\"\",\"\"y\"\"]\"",
            ])
    }

    @Test func csvOfNoRowsIsItsHead() {
        #expect(RowFormatter.csv.lines([]) == ["key"])
    }
}
