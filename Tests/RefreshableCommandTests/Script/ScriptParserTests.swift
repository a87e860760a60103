import KeyedLists
import Testing

@testable import RefreshableCommand

struct ScriptParserTests {
    @Test(
        arguments: [
            (#">  {"type":"ping"}"#, "", .send(#"{"type":"ping"}"#)),
            ("> not json", "", .send("not json")),
            ("<{}", "", .next(FramePattern(.object([:])), within: .seconds(5))),
            ("<< {} within 10s", "", .eventually(FramePattern(.object([:])), within: .seconds(10))),
            ("! {} 250ms", "", .never(FramePattern(.object([:])), during: .milliseconds(250))),
            ("b<< {}", "b", .eventually(FramePattern(.object([:])), within: .seconds(5))),
            ("b > x", "b", .send("x")),
            ("wait 2s", "", .wait(.seconds(2))),
            ("cut", "", .cut),
            ("  open  ", "", .open),
            ("c cut", "c", .cut),
        ] as [(String, String, ScriptStep.Action)])
    func aLineIsAStep(line: String, connection: String, action: ScriptStep.Action) throws {
        #expect(try ScriptParser.step(line, line: 1) == ScriptStep(line: 1, connection: connection, action: action))
    }

    @Test
    func commentsAndEmptyLinesAreNoStepsButCount() throws {
        let steps = try ScriptParser.steps(of: "# a\n\n  # b\ncut\n", file: "x")
        #expect(steps.map(\.line) == [4])
    }

    @Test(arguments: [
        (">", "There is nothing to send after `>`."),
        ("< hello", "After the arrow comes a JSON object, not `hello`."),
        ("< {\"a\":}", "The frame is not JSON: at byte 5 there should be a value."),
        ("<< {} soon", "After the frame comes nothing or `within 10s`, not `soon`."),
        ("! {}", "`!` ends with how long nothing may come, such as `1s`, not with ``."),
        ("wait long", "A line begins with `>`, `<`, `<<`, `!`, `wait 2s`, `cut`, `open` or `#`, not with `wait long`."),
        ("bcut", "A line begins with `>`, `<`, `<<`, `!`, `wait 2s`, `cut`, `open` or `#`, not with `bcut`."),
    ])
    func aFaultyLineIsExplained(line: String, problem: String) {
        #expect(throws: ScriptFault(place: "x:1", problem: problem)) { try ScriptParser.steps(of: line, file: "x") }
    }
}
