import KeyedLists
import Testing

@testable import RefreshableCommand

/// Scripts against a server that is a table: no socket.
struct ScriptRunnerTests {
    @Test
    func theNextFrameIsTheNext() async throws {
        #expect(
            await problem("< {\"type\":\"welcome\"}\n<{\"type\":\"a\"}\n< {\"type\":\"b\"}", [Self.welcome, a, b])
                == nil)
        #expect(await problem("< {\"type\":\"b\"}", [a, b])?.hasPrefix("x:1: The next frame is another.") == true)
    }

    @Test
    func anEventualFramePassesOthersOver() async {
        #expect(await problem("<< {\"type\":\"b\"}", [a, a, b]) == nil)
        #expect(await problem("<< {\"type\":\"b\"}\n<< {\"type\":\"a\"} within 1ms", [a, b]) != nil)
    }

    @Test
    func aForbiddenFrameMayNeitherWaitNorCome() async {
        #expect(await problem("! {\"type\":\"a\"} 1ms", [a]) != nil)
        #expect(await problem("! {\"type\":\"b\"} 1ms\n< {\"type\":\"a\"}", [a]) == nil)
        #expect(
            await problem("! {\"type\":\"b\"} 1ms", [a, b])?.hasPrefix("x:1: A frame came that should not within 1ms.")
                == true)
    }

    @Test
    func anAnswerIsHeardWhenItComes() async {
        #expect(await problem("> ping\n< {\"echo\":\"ping\"}", []) == nil)
    }

    @Test
    func lettersAreConnections() async {
        #expect(await problem("> one\nb> two\n< {\"echo\":\"one\"}\nb< {\"echo\":\"two\"}", []) == nil)
    }

    @Test
    func aCutConnectionIsOpenedAgainBeforeItIsUsed() async {
        let fault = "x:2: The connection was cut. `open` it before it is used again."
        #expect(await problem("cut\n> x", []) == fault)
        #expect(await problem("< {\"type\":\"a\"}\ncut\nopen\n< {\"type\":\"a\"}", [a]) == nil)
    }

    @Test
    func anUnknownNameIsAFault() async {
        #expect(
            await problem("> {\"run\":\"$run\"}", []) == "x:1: No frame gave a value to $run before this line.")
    }

    @Test
    func aMismatchShowsBothSidesOfTheNearestFrame() async {
        let frames = [
            #"{"phase":"waiting","type":"state"}"#, #"{"last":{"run":"r6"},"phase":"closing","type":"state"}"#,
        ]
        #expect(
            await problem(
                #"<< {"type":"state","phase":"closing","last":{"run":"r7","outcome":"*"}} within 1ms"#, frames) == """
                    x:1: No frame that matches came within 1ms.
                        field          expected    received
                        type           "state"     "state"
                      ≠ last.outcome   anything    nothing
                      ≠ last.run       "r7"        "r6"
                        phase          "closing"   "closing"
                      received, 2 in all:
                      < {"phase":"waiting","type":"state"}
                      < {"last":{"run":"r6"},"phase":"closing","type":"state"}
                    """)
    }

    private let a = #"{"type":"a"}"#
    private let b = #"{"type":"b"}"#
    private static let welcome = #"{"type":"welcome"}"#

    private func problem(_ text: String, _ frames: [String]) async -> String? {
        var runner = ScriptRunner(file: "x") { _ in await TableConnection(frames: frames) }
        do {
            try await runner.run(try ScriptParser.steps(of: text, file: "x"))
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// Says what it was told to say, and echoes what it hears.
private struct TableConnection: ScriptConnection {
    let inbox = FrameInbox()

    init(frames: [String]) async {
        for frame in frames { await inbox.put(frame) }
    }

    func send(_ text: String) async { await inbox.put("{\"echo\":\"\(text)\"}") }
    func close() async { await inbox.end() }
    func cut() async { await inbox.end() }
}
