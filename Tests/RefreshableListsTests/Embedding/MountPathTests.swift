import HTTPTypes
import Testing

@testable import RefreshableLists

struct MountPathTests {
    @Test(
        arguments: [
            ("/live", "/live/ws?x=1", .inside("/ws?x=1")), ("/live", "/live/", .inside("/")),
            ("/live", "/live//a", .inside("//a")), ("/live/", "/live/lists", .inside("/lists")),
            ("/live", "/live", .itself(location: "live/")), ("/a/live", "/a/live?x", .itself(location: "live/?x")),
            ("/live", "/lively", .outside), ("/live", "/", .outside), ("/live", "*", .outside), ("/live", "", .outside),
            ("/", "/lists", .inside("/lists")), ("", "/", .inside("/")), ("/", "", .outside), ("/", "*", .outside),
        ] as [(String, String, MountPath.Place)])
    func aRequestLiesBelowThePathOrOutsideOfIt(_ path: String, _ target: String, _ place: MountPath.Place) throws {
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: target)
        #expect(try #require(MountPath(path)).place(of: request) == place)
    }

    @Test(arguments: ["live", "//", "/a//", "/a b", "/a?b", "/a#b", "/ä"])
    func whatIsNoPathIsNone(_ text: String) {
        #expect(MountPath(text) == nil)
    }
}
