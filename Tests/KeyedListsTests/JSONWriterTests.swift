import Foundation
import KeyedLists
import Testing

struct JSONWriterTests {
    @Test func commasAreWrittenByThemselves() {
        var json = JSONWriter()
        json.beginObject()
        json.member("type", "patch")
        json.member("from", 418)
        json.member("progress", 0.5)
        json.member("last", true)
        json.name("rows")
        json.beginArray()
        json.raw(Fields(["a": 1]).bytes)
        json.raw(Fields().bytes)
        json.null()
        json.value(false)
        json.value(Key("k"))
        json.endArray()
        json.name(Key("\n"))
        json.value("")
        json.endObject()
        #expect(
            json.bytes.text
                == #"{"type":"patch","from":418,"progress":0.5,"last":true,"rows":[{"a":1},{},null,false,"k"],"\n":""}"#
        )
    }

    @Test(arguments: [
        (0, "0"), (-1, "-1"), (9_007_199_254_740_993, "9007199254740993"), (Int.max, "9223372036854775807"),
        (Int.min, "-9223372036854775808"),
    ])
    func wholeNumbersKeepAllDigits(_ integer: Int, text: String) {
        var json = JSONWriter()
        json.value(integer)
        #expect(json.bytes.text == text)
    }

    @Test func aRowHasTheFieldsThatWereGiven() throws {
        let row = ListRow(
            "k", title: "T\"", subtitle: "s", detail: "d", time: Date(timeIntervalSince1970: 1_790_000_000),
            link: URL(string: "l"), image: URL(string: "i"), badge: "b")
        #expect(
            row.fields.bytes.text
                == #"{"badge":"b","detail":"d","image":"i","link":"l","subtitle":"s","time":1790000000000,"title":"T\""}"#
        )
        #expect(try Fields(canonicalising: row.fields.bytes) == row.fields)
        #expect(ListRow("k").fields == Fields())
    }

    @Test func aValueMayBeAppendedAfterAnything() {
        var bytes = "data: ".bytes
        JSONValue.object(["b": [1, nil], "a": 0.5]).canonical(into: &bytes)
        #expect(bytes.text == #"data: {"a":0.5,"b":[1,null]}"#)
    }
}
