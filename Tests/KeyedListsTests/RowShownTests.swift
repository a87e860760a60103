import KeyedLists
import Testing

/// Fields of a row, by their names.
struct RowShownTests {
    @Test
    func fieldsAreReadAndWrittenByName() {
        var row = ListRow("1", title: "Ada", time: 1_795_255_200_000, badge: "new")
        #expect(row.title == "Ada" && row.time == 1_795_255_200_000 && row.badge == "new" && row.subtitle == nil)
        row.badge = nil
        row.subtitle = "red"
        row.time = 5
        row.detail = "d"
        row.link = "l"
        row.image = "i"
        #expect(row == ListRow("1", title: "Ada", subtitle: "red", detail: "d", time: 5, link: "l", image: "i"))
        #expect([row.detail, row.link, row.image] == ["d", "l", "i"])
    }

    @Test
    func fieldsOfYourOwnStay() {
        var row = ListRow(key: "1", fields: Fields(["own": .bool(true), "title": .number(1)]))
        #expect(row.title == nil)
        row.title = "Ada"
        #expect(row.fields == Fields(["own": .bool(true), "title": .string("Ada")]))
    }
}
