import Testing

@testable import RefreshableCommand

struct SettingsChangeTests {
    private let fruit = "  - {name: fruit, demo: fruit}\n"
    private let hours = "  - {name: hours, demo: hours}\n"

    @Test
    func listsAreToldApartByTheirNames() throws {
        let change = try change(from: fruit + hours, to: hours + "  - {name: names, demo: names}\n")
        #expect(change.added == ["names"] && change.removed == ["fruit"] && change.changed.isEmpty)
        #expect(change.summary == "added names; removed fruit")
    }

    @Test
    func onlyAnotherSourceBringsOtherRows() throws {
        let title = try change(from: fruit, to: "  - {name: fruit, demo: fruit, title: Fresh}\n")
        let source = try change(from: fruit, to: "  - {name: fruit, demo: names}\n")
        let mode = try change(from: fruit, to: "  - {name: fruit, demo: fruit, mode: stream}\n")
        #expect(title.changed == ["fruit"] && title.withOtherRows.isEmpty)
        #expect(source.changed == ["fruit"] && source.withOtherRows == ["fruit"])
        #expect(mode.withOtherRows == ["fruit"])
    }

    @Test
    func whatIsWrittenOtherwiseIsNoChange() throws {
        let change = try change(from: fruit, to: "  # a comment\n  - name: fruit\n    demo: \"fruit\"\n")
        #expect(change.isEmpty && change.summary == "nothing has changed")
    }

    @Test
    func anotherOrderIsAChange() throws {
        let change = try change(from: fruit + hours, to: hours + fruit)
        #expect(!change.isEmpty && change.changed.isEmpty)
        #expect(change.summary == "the lists are in another order")
    }

    private func change(from old: String, to new: String) throws -> SettingsChange {
        SettingsChange(
            from: try Settings(reading: "lists:\n\(old)", file: "a.yaml"),
            to: try Settings(reading: "lists:\n\(new)", file: "a.yaml"))
    }
}
