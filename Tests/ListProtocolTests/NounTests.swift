import KeyedLists
import Testing

@testable import ListProtocol

/// What the rows of a list are called, in its description.
struct NounTests {
    @Test func aNounIsWrittenByLanguageAndReadAgain() throws {
        var noun = Noun("commit", "commits")
        noun.languages["de"] = [.one: "Eintrag", .other: "Einträge"]
        let pull = PullDescription(trigger: "release", threshold: 64, minimum: 10, hold: 56, hysteresis: 8)
        let description = ListDescription(list: "a", title: "A", refreshable: true, pull: pull, noun: noun)
        let text = String(decoding: ServerMessage.settings(description).encoded(), as: UTF8.self)
        let wanted =
            #""noun":{"":{"one":"commit","other":"commits"},"de":{"one":"Eintrag","other":"Einträge"}}"#
        #expect(text.contains(wanted))
        #expect(try ServerMessage(decoding: Array(text.utf8)) == .settings(description))
    }

    @Test func aFormOfALaterVersionIsPassedOver() throws {
        let text = #"{"type":"ok","list":"a","noun":{"":{"dual":"x","other":"y"}}}"#
        guard case .ok(let ok) = try ServerMessage(decoding: Array(text.utf8)) else { throw Unexpected() }
        #expect(ok.noun == Noun(forms: [.other: "y"]))
    }

    @Test func aListSaysOfWhatItNotifies() throws {
        let pull = PullDescription(trigger: "release", threshold: 64, minimum: 10, hold: 56, hysteresis: 8)
        let description = ListDescription(list: "a", title: "A", refreshable: true, pull: pull, notify: .rows)
        let text = String(decoding: ServerMessage.settings(description).encoded(), as: UTF8.self)
        #expect(text.hasSuffix(#","notify":"rows"}"#))
        #expect(try ServerMessage(decoding: Array(text.utf8)) == .settings(description))
        let later = try ServerMessage(decoding: Array(#"{"type":"ok","notify":"moves"}"#.utf8))
        guard case .ok(let ok) = later else { throw Unexpected() }
        #expect(ok.notify == nil, "an occasion of a later version is passed over")
    }

    private struct Unexpected: Error {}
}
