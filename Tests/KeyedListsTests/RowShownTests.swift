import Foundation
import KeyedLists
import Testing

/// Fields of a row, by their names.
struct RowShownTests {
    @Test
    func fieldsAreReadAndWrittenByName() {
        let time = Date(timeIntervalSince1970: 1_795_255_200)
        var row = ListRow("1", title: "Ada", time: time, badge: "new")
        #expect(row.title == "Ada" && row.time == time && row.badge == "new" && row.subtitle == nil)
        row.badge = nil
        row.subtitle = "red"
        row.time = Date(timeIntervalSince1970: 0.005)
        row.detail = "d"
        row.link = URL(string: "l")
        row.image = URL(string: "https://example.org/i")
        #expect(
            row.fields.description
                == #"{"detail":"d","image":"https://example.org/i","link":"l","subtitle":"red","time":5,"title":"Ada"}"#
        )
        #expect([row.link, row.image] == [URL(string: "l"), URL(string: "https://example.org/i")])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func aTimeThatJSONCannotHoldIsTheNearestThatItCan(seconds: Double) {
        let row = ListRow("1", time: Date(timeIntervalSince1970: seconds))
        #expect(row.fields["time"] == .number(seconds.isNaN ? 0 : seconds < 0 ? -0x1p53 : 0x1p53))
    }

    @Test func aKeyIsATextANumberOrAnIdentifier() {
        let uuid = UUID()
        let text = "a-1"
        #expect(ListRow(42).key == "42" && ListRow(text.prefix(1)).key == "a" && ListRow(Key("k")).key == "k")
        #expect(ListRow(uuid).key.string == uuid.uuidString && Key(uuid) == ListRow(uuid).key)
        #expect([Place.after(text), .before(7)] == [.after("a-1"), .before("7")])
    }

    @Test
    func fieldsOfYourOwnStay() {
        var row = ListRow(key: "1", fields: Fields(["own": .bool(true), "title": .number(1)]))
        #expect(row.title == nil)
        row.title = "Ada"
        #expect(row.fields == Fields(["own": .bool(true), "title": .string("Ada")]))
    }
}
