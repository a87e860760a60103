import Testing

@testable import RefreshableCommand

struct PushBatchTests {
    private var batch = PushBatch()

    @Test mutating func linesBecomeOnePush() throws {
        #expect(try add(#"{"key":"a","fields":{"title":"A"},"at":"end"}"#))
        #expect(try add(#"{"key":"z","fields":null}"#))
        #expect(
            String(decoding: batch.body, as: UTF8.self)
                == #"{"remove":["z"],"set":[{"key":"a","fields":{"title":"A"},"at":"end"}]}"#)
        #expect(batch.count == 2)
    }

    @Test mutating func aKeyThatComesAgainBelongsInTheNext() throws {
        #expect(try add(#"{"key":"a","fields":{}}"#))
        #expect(try !add(#"{"key":"a","fields":null}"#))
        #expect(batch.count == 1)
    }

    @Test mutating func aBatchStaysBelowWhatAServerTakes() throws {
        let title = String(repeating: "x", count: 15_000)
        var number = 0
        while try add(#"{"key":"\#(number)","fields":{"title":"\#(title)"}}"#) { number += 1 }
        #expect(30...40 ~= number)
        #expect(batch.body.count < 1 << 20)
    }

    @Test(arguments: [
        ("7", "Line 3: expected an object like {\"key\":\"k\",\"fields\":{…}}."),
        (
            "?",
            "Line 3: Cannot read the JSON: at byte 0 there should be a value. Expected was an object like {\"key\""
        ),
        ("{\"fields\":{}}", "Line 3: "), ("{\"key\":\"a\",\"fields\":[]}", "Line 3: "), ("{\"key\":\"a\"", "Line 3: "),
        ("{\"key\":\"a\",\"fields\":{},\"at\":\"middle\"}", "Line 3: "),
    ])
    mutating func aFaultNamesItsLine(line: String, beginning: String) {
        let fault = #expect(throws: PushBatch.Fault.self) { try batch.add(Array(line.utf8), number: 3) }
        #expect(fault?.description.hasPrefix(beginning) == true)
        #expect(fault?.description.contains("set[0]") == false, "\(fault?.description ?? "")")
    }

    private mutating func add(_ line: String) throws -> Bool { try batch.add(Array(line.utf8), number: 1) }
}
