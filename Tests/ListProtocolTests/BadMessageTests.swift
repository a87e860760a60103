import ListProtocol
import Testing

/// What a person who types messages by hand is told.
@Suite struct BadMessageTests {
    struct Bad: Sendable, CustomTestStringConvertible {
        let json: String
        let code: ErrorCode
        let message: String
        let id: String?

        init(_ json: String, _ code: ErrorCode, _ message: String, id: String? = nil) {
            self.json = json
            self.code = code
            self.message = message
            self.id = id
        }

        var testDescription: String { json }
    }

    static let types = "hello, watch, look, unwatch, pull, release, cancel, refresh, stop, more, act, digest, ping"

    static let notJSON = [
        Bad("", .badJSON, "Cannot read the message as JSON: at byte 0 there should be an object."),
        Bad("[]", .badJSON, "Cannot read the message as JSON: at byte 0 there should be an object."),
        Bad("hello", .badJSON, "Cannot read the message as JSON: at byte 0 there should be an object."),
        Bad(
            #"{"type":"ping","id":"8""#, .badJSON,
            "Cannot read the message as JSON: at byte 23 there should be a comma or the end of the object.", id: "8"),
        Bad(#"{"type":"ping"} x"#, .badJSON, "Cannot read the message as JSON: at byte 16 there should be the end."),
        Bad(
            #"{"type":"pull","id":"7","list":"a","gesture":1,"offset":NaN}"#, .badJSON,
            "Cannot read the message as JSON: at byte 56 there should be a value.", id: "7"),
        Bad(
            #"{"type":"\uD800"}"#, .badJSON,
            "Cannot read the message as JSON: at byte 9 there should be both halves of a surrogate pair."),
    ]

    static let badTypes = [
        Bad("{}", .badType, "The message has no \"type\". Send one of \(types)."),
        Bad(
            #"{"type":7,"id":"a"}"#, .badType, "The field \"type\" should be a string, not 7. Send one of \(types).",
            id: "a"),
        Bad(#"{"id":"a","type":"wach"}"#, .badType, #"Unknown type "wach". Did you mean "watch"?"#, id: "a"),
        Bad(#"{"type":"PLUL"}"#, .badType, #"Unknown type "PLUL". Did you mean "pull"?"#),
        Bad(#"{"type":"relaese","list":7}"#, .badType, #"Unknown type "relaese". Did you mean "release"?"#),
        Bad(#"{"type":"pi"}"#, .badType, "Unknown type \"pi\". Send one of \(types)."),
        Bad(#"{"type":""}"#, .badType, "Unknown type \"\". Send one of \(types)."),
        Bad(
            #"{"type":"0123456789012345678901234567890123456789x"}"#, .badType,
            "Unknown type \"0123456789012345678901234567890123456789…\". Send one of \(types)."),
    ]

    static let badFields = [
        Bad(
            #"{"type":"look","id":"1","list":"a"}"#, .badField,
            #"The field "window" is missing: it should be an object such as {"first":0,"count":60}."#, id: "1"),
        Bad(
            #"{"type":"watch","list":"a","window":7}"#, .badField,
            #"The field "window" should be an object such as {"first":0,"count":60}, not 7."#),
        Bad(
            #"{"type":"watch","list":"a","window":{"first":-1,"count":1}}"#, .badField,
            #"The field "window.first" should be a whole number from 0 on, not -1."#),
        Bad(
            #"{"type":"watch","list":"a","window":{"allUpTo":"all"}}"#, .badField,
            #"The field "window.allUpTo" should be a whole number from 0 on, not "all"."#),
        Bad(
            #"{"type":"watch","list":"a","window":{"last":"x"}}"#, .badField,
            #"The field "window.last" should be a whole number from 1 to 1000, not "x"."#),
        Bad(
            #"{"type":"watch","list":"a","window":{"around":3}}"#, .badField,
            #"The field "window.around" should be a key, not 3."#),
        Bad(
            #"{"type":"look","list":"a","window":{"last":5,"first":3}}"#, .badField,
            #"The field "window.first" does not go with "last". Ask by "first" and "count"; by "around", "before", "#
                + #""after" and "index"; or by "last"."#),
        Bad(
            #"{"type":"look","list":"a","window":{"last":5},"window":{"last":5}}"#, .badField,
            #"The field "window" came twice. Send it once."#),
        Bad(
            #"{"type":"ping","id":7}"#, .badField,
            #"The field "id" should be a string of at most 64 characters, not 7."#),
        Bad(
            #"{"type":"watch","id":"1"}"#, .badField,
            #"The field "list" is missing: it should be a string of 1 to 128 bytes."#, id: "1"),
        Bad(
            #"{"type":"watch","id":"1","list":null}"#, .badField,
            #"The field "list" should be a string of 1 to 128 bytes, not null."#, id: "1"),
        Bad(
            #"{"type":"watch","list":""}"#, .badField,
            #"The field "list" should be a string of 1 to 128 bytes, not ""."#),
        Bad(
            #"{"type":"watch","list":["a"]}"#, .badField,
            #"The field "list" should be a string of 1 to 128 bytes, not an array."#),
        Bad(
            #"{"type":"watch","list":"a","revision":3}"#, .badField,
            #"The field "epoch" is missing: it should be a string of 1 to 64 bytes."#),
        Bad(
            #"{"type":"watch","list":"a","epoch":"k"}"#, .badField,
            #"The field "revision" is missing: it should be a whole number from 0 to 9007199254740991."#),
        Bad(
            #"{"type":"watch","list":"a","epoch":"k","revision":3.5}"#, .badField,
            #"The field "revision" should be a whole number from 0 to 9007199254740991, not 3.5."#),
        Bad(
            #"{"type":"cancel","list":"a","gesture":-1}"#, .badField,
            #"The field "gesture" should be a whole number from 0 to 9007199254740991, not -1."#),
        Bad(
            #"{"type":"cancel","list":"a","gesture":9007199254740992}"#, .badField,
            #"The field "gesture" should be a whole number from 0 to 9007199254740991, not 9007199254740992."#),
        Bad(
            #"{"type":"pull","list":"a","gesture":1,"offset":"abc"}"#, .badField,
            #"The field "offset" should be a number from -10000 to 10000, not "abc"."#),
        Bad(
            #"{"type":"pull","list":"a","gesture":1,"offset":10000.5}"#, .badField,
            #"The field "offset" should be a number from -10000 to 10000, not 10000.5."#),
        Bad(
            #"{"type":"pull","list":"a","gesture":1,"offset":1e999}"#, .badField,
            #"The field "offset" should be a number from -10000 to 10000, not a number that large."#),
        Bad(
            #"{"type":"release","list":"a","gesture":1,"offset":1,"peak":true}"#, .badField,
            #"The field "peak" should be a number from -10000 to 10000, not true."#),
        Bad(
            #"{"type":"refresh","list":"a","fresh":"now"}"#, .badField,
            #"The field "fresh" should be "join" or "after", not "now"."#),
        Bad(
            #"{"type":"refresh","list":"a","key":{}}"#, .badField,
            #"The field "key" should be a string of 1 to 256 bytes, not an object."#),
        Bad(
            #"{"type":"stop","id":"5","list":"a"}"#, .badField,
            #"The field "run" is missing: it should be a string of 1 to 64 bytes."#, id: "5"),
        Bad(
            #"{"type":"more","id":"6","list":"a","after":7}"#, .badField,
            #"The field "after" should be a string of 1 to 256 bytes, not 7."#, id: "6"),
        Bad(
            #"{"type":"watch","id":"5","list":"a","list":"b"}"#, .badField,
            #"The field "list" came twice. Send it once."#, id: "5"),
    ]

    @Test(arguments: notJSON + badTypes + badFields)
    func eachFaultHasItsOwnAnswer(bad: Bad) {
        #expect(throws: MessageError(code: bad.code, message: bad.message, id: bad.id)) {
            try ClientMessage(decoding: Array(bad.json.utf8))
        }
    }

    @Test func aFaultIsAnsweredAsAnErrorToItsSender() {
        let fault = MessageError(code: .badType, message: "No.", id: "9")
        let json = #"{"type":"error","id":"9","code":"badType","message":"No.","retry":"never"}"#
        #expect(text(fault.answer.encoded()) == json)
        #expect(MessageError.binary.code == .badType)
    }
}
