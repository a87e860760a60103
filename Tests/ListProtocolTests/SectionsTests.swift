import KeyedLists
import Testing

@testable import ListProtocol

/// How the rows of a list are divided, in its description.
struct SectionsTests {
    @Test(arguments: [
        (Sections.day("time"), #""section":{"day":"time"}"#), (.field("badge"), #""section":{"field":"badge"}"#),
    ])
    func sectionsAreWrittenAndReadAgain(sections: Sections, wanted: String) throws {
        let pull = PullDescription(trigger: "release", threshold: 64, minimum: 10, hold: 56, hysteresis: 8)
        let description = ListDescription(list: "a", title: "A", refreshable: true, pull: pull, section: sections)
        let text = String(decoding: ServerMessage.settings(description).encoded(), as: UTF8.self)
        #expect(text.contains(wanted))
        #expect(try ServerMessage(decoding: Array(text.utf8)) == .settings(description))
        let ok = OK(id: "1", list: "a", section: sections)
        #expect(try ServerMessage(decoding: ServerMessage.ok(ok).encoded()) == .ok(ok))
    }

    @Test func whatALaterVersionDividesByHasNoHeadings() throws {
        let text = #"{"type":"ok","list":"a","section":{"month":"time"}}"#
        #expect(try ServerMessage(decoding: Array(text.utf8)) == .ok(OK(list: "a")))
    }
}
