import KeyedLists
import Testing

@testable import RefreshableCommand

struct FramePatternTests {
    @Test(arguments: [
        ("{}", #"{"a":1}"#), (#"{"a":1}"#, #"{"a":1,"b":2}"#), (#"{"a":{"b":true}}"#, #"{"a":{"b":true,"c":0}}"#),
        (#"{"a":"*"}"#, #"{"a":null}"#), (#"{"a":[1,"*"]}"#, #"{"a":[1,{"b":2}]}"#), (#"{"a":[]}"#, #"{"a":[]}"#),
        (#"{"a":"$x","b":"$x"}"#, #"{"a":"r7","b":"r7"}"#), (#"{"a":"$5.00"}"#, #"{"a":"$5.00"}"#),
        (#"{"a":1.0}"#, #"{"a":1}"#),
    ])
    func aPatternMatchesWhatHasItsMembers(pattern: String, frame: String) throws {
        var captures = Captures()
        #expect(try FramePattern(json(pattern)).matches(json(frame), &captures))
    }

    @Test(arguments: [
        (#"{"a":1}"#, "{}"), (#"{"a":1}"#, #"{"a":"1"}"#), (#"{"a":"*"}"#, #"{"b":1}"#),
        (#"{"a":[1]}"#, #"{"a":[1,2]}"#),
        (#"{"a":"$x","b":"$x"}"#, #"{"a":1,"b":2}"#), (#"{"a":null}"#, "{}"), (#"{"a":{}}"#, #"{"a":[]}"#),
        (#"{"a":"$x"}"#, "{}"), (#"{"a":"é"}"#, "{\"a\":\"e\u{301}\"}"),
    ])
    func otherFramesDoNotMatch(pattern: String, frame: String) throws {
        var captures = Captures()
        #expect(try !FramePattern(json(pattern)).matches(json(frame), &captures))
        #expect(captures == Captures())
    }

    @Test
    func aCapturedValueMustThenBeEqual() throws {
        var captures = Captures()
        let pattern = FramePattern(try json(#"{"run":"$run"}"#))
        #expect(try pattern.matches(json(#"{"run":"r1"}"#), &captures))
        #expect(try !pattern.matches(json(#"{"run":"r2"}"#), &captures))
        #expect(captures["run"] == .string("r1"))
    }

    @Test
    func capturesAreFilledIntoWhatIsSent() throws {
        var captures = Captures()
        captures["run"] = .string("r7")
        captures["revision"] = .number(418)
        #expect(try captures.filled(into: #"{"revision":"$revision","run":"$run"}"#) == #"{"revision":418,"run":"r7"}"#)
        #expect(try captures.filled(into: #"{ "b":1, "a":2 }"#) == #"{ "b":1, "a":2 }"#)
        #expect(try captures.filled(into: #"{"broken":"$run""#) == #"{"broken":"$run""#)
        #expect(throws: Captures.NothingCaptured(name: "epoch")) { try captures.filled(into: #"{"a":"$epoch"}"#) }
    }

    private func json(_ text: String) throws -> JSONValue {
        try JSONValue(json: Array(text.utf8))
    }
}
