import Testing

@testable import RefreshableCommand

struct AddressTests {
    @Test(arguments: [
        ("http://localhost:8080", "ws://localhost:8080/ws"), ("http://localhost:8080/", "ws://localhost:8080/ws"),
        ("localhost:8080", "ws://localhost:8080/ws"), ("ws://h:1/other", "ws://h:1/other"),
    ])
    func aServerHasItsSocketAtWS(url: String, socket: String) {
        #expect(SocketAddress.socket(of: url) == socket)
    }

    @Test
    func healthAsksTheServerThatTheVariablesName() {
        #expect(HealthCommand.standardURL([:]) == "http://localhost:8080")
        #expect(HealthCommand.standardURL(["REFRESHABLE_PORT": "81"]) == "http://localhost:81")
        #expect(HealthCommand.standardURL(["REFRESHABLE_URL": "http://h", "REFRESHABLE_PORT": "81"]) == "http://h")
    }

    @Test(
        arguments: [
            (#"{"type":"ping"}"#, .send(#"{"type":"ping"}"#)), (#"> {"type":"ping"}"#, .send(#"{"type":"ping"}"#)),
            ("cut", .cut), ("", nil), ("# note", nil),
        ] as [(String, ScriptStep.Action?)])
    func aTypedFrameNeedsNoArrow(line: String, action: ScriptStep.Action?) throws {
        #expect(try InteractiveScript.action(line) == action)
    }
}
