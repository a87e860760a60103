import KeyedLists
import ListProtocol
import Testing

/// What programs push, as bytes: a push, or an error that names the member.
@Suite struct PushRequestTests {
    private let fields = Fields(["title": "Tea"])

    @Test func aPatchsOwnWordsAreRead() throws {
        let push = try PushRequest(
            decoding: Array(
                #"""
                {"set":[
                    {"key":"a","fields":{"title":"Tea"}},
                    {"key":"b","fields":{"title":"Tea"},"before":"a"},
                    {"key":"c","after":"b"},
                    {"key":"d","at":"end"},
                    {"key":"e","fields":null,"at":"top"}
                ],"remove":["z","é"]}
                """#.utf8))
        #expect(
            push
                == PushRequest(
                    set: [
                        .init(key: "a", fields: fields), .init(key: "b", fields: fields, place: .before("a")),
                        .init(key: "c", place: .after("b")), .init(key: "d", place: .last),
                        .init(key: "e", place: .first),
                    ], remove: ["z", "é"]))
    }

    @Test func aPatchThatWasReceivedMayBePassedOn() throws {
        let patch = #"""
            {"type":"patch","list":"names","epoch":"k3f","from":1,"revision":2,
             "set":[{"key":"a","position":99,"fields":{"title":"Tea"}}],"remove":[],"count":7,"last":true}
            """#
        #expect(try PushRequest(decoding: Array(patch.utf8)) == PushRequest(set: [.init(key: "a", fields: fields)]))
    }

    @Test func aRowHasItsKeyFromThePath() throws {
        let plain = try PushRequest(row: Array(#"{"fields":{"title":"Tea"},"at":"end"}"#.utf8), key: "a/b")
        let same = try PushRequest(row: Array(#"{"key":"a/b"}"#.utf8), key: "a/b")
        #expect(plain == PushRequest(set: [.init(key: "a/b", fields: fields, place: .last)]))
        #expect(same == PushRequest(set: [.init(key: "a/b")]))
    }

    @Test(arguments: [
        (#""#, "Cannot read the body as JSON: at byte 0 there should be an object."),
        (#"[]"#, "Cannot read the body as JSON: at byte 0 there should be an object."),
        (
            #"{"set":[{"key":"a"}]"#,
            "Cannot read the body as JSON: at byte 20 there should be a comma or the end of the object."
        ),
        (#"{"set":[]} {"#, "Cannot read the body as JSON: at byte 11 there should be the end."),
        (#"{}"#, #"The body has neither "set" nor "remove". Send one of them."#),
        (#"{"sets":[]}"#, #"The body has neither "set" nor "remove". Send one of them."#),
        (#"{"set":null}"#, #"The body has neither "set" nor "remove". Send one of them."#),
        (#"{"set":{}}"#, "set: should be an array, not an object."),
        (#"{"set":[],"set":[]}"#, "set: came twice. Send it once."),
        (#"{"remove":"z"}"#, #"remove: should be an array, not "z"."#),
        (#"{"remove":["z",7]}"#, "remove[1]: should be a string of 1 to 256 bytes, not 7."),
        (#"{"remove":[""]}"#, #"remove[0]: should be a string of 1 to 256 bytes, not ""."#),
        (#"{"set":["a"]}"#, #"set[0]: should be an object, not "a"."#),
        (#"{"set":[{"key":"a"},{}]}"#, "set[1].key: is missing; it should be a string of 1 to 256 bytes."),
        (#"{"set":[{"key":1}]}"#, "set[0].key: should be a string of 1 to 256 bytes, not 1."),
        (#"{"set":[{"key":"a","key":"b"}]}"#, "set[0].key: came twice. Send it once."),
        (#"{"set":[{"key":"a"},{"key":"a"}]}"#, #"set[1].key: the key "a" came before. Send each once."#),
        (#"{"set":[{"key":"a"}],"remove":["a"]}"#, #"remove[0]: the key "a" came before. Send each once."#),
        (#"{"set":[{"key":"a","fields":[]}]}"#, "set[0].fields: should be an object, not an array."),
        (#"{"set":[{"key":"a","fields":{},"fields":{}}]}"#, "set[0].fields: came twice. Send it once."),
        (#"{"set":[{"key":"a","before":7}]}"#, "set[0].before: should be the key of a row, not 7."),
        (#"{"set":[{"key":"a","after":""}]}"#, #"set[0].after: should be the key of a row, not ""."#),
        (#"{"set":[{"key":"a","at":"bottom"}]}"#, #"set[0].at: should be "top" or "end", not "bottom"."#),
        (
            #"{"set":[{"key":"a","at":"end","before":"b"}]}"#,
            #"set[0].at: send only one of "before", "after" and "at"."#
        ),
    ])
    func whatIsWrongIsNamed(body: String, message: String) {
        let error = #expect(throws: MessageError.self) { try PushRequest(decoding: Array(body.utf8)) }
        #expect(error?.message == message)
        #expect(error?.code == (message.contains("JSON") ? .badJSON : .badField))
    }

    @Test(arguments: [
        (#"7"#, "The body: should be an object, not 7."),
        (#"{"key":"b"}"#, "key: should be the one in the path, or left out."),
        (#"{"fields":7}"#, "fields: should be an object, not 7."),
        (#"{"at":"bottom"}"#, #"at: should be "top" or "end", not "bottom"."#),
        (#"{"fields":{}} 7"#, "Cannot read the body as JSON: at byte 14 there should be the end."),
    ])
    func whatIsWrongWithARowIsNamed(body: String, message: String) {
        let error = #expect(throws: MessageError.self) { try PushRequest(row: Array(body.utf8), key: "a") }
        #expect(error?.message == message)
    }

    @Test func aKeyInAPathIsNotGuessedAt() {
        for key in ["", Key(String(repeating: "k", count: 257)), "a\0b", "a\u{FFFD}"] {
            #expect(throws: MessageError.self) { try PushRequest(row: Array("{}".utf8), key: key) }
            #expect(throws: MessageError.self) { try PushRequest(removing: key) }
        }
    }

    @Test func limitsHold() throws {
        let limits = PushLimits(Limits(keyBytes: 3, rowBytes: 13), rows: 2)
        func error(_ body: String) -> MessageError? {
            #expect(throws: MessageError.self) { try PushRequest(decoding: Array(body.utf8), limits: limits) }
        }
        _ = try PushRequest(decoding: Array(#"{"set":[{"key":"abc","fields":{"a": "12345"}}]}"#.utf8), limits: limits)
        #expect(error(#"{"remove":["abcd"]}"#)?.message.contains("1 to 3 bytes") == true)
        #expect(error(#"{"set":[{"key":"a","fields":{"a":"123456"}}]}"#)?.code == .tooLarge)
        #expect(error(#"{"set":[{"key":"a"},{"key":"b"}],"remove":["c"]}"#)?.code == .tooLarge)
    }
}
