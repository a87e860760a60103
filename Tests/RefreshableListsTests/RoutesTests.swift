import Testing

@testable import RefreshableLists

struct RoutesTests {
    @Test(arguments: [
        ("/", [""]), ("/lists", ["lists"]), ("/lists/a/", ["lists", "a", ""]), ("/\u{301}", ["\u{301}"]),
        ("/lists/\u{487}x", ["lists", "\u{487}x"]), ("/a\u{301}/b", ["a\u{301}", "b"]), ("", []),
    ])
    func aSlashPartsAPathWhateverFollowsIt(_ path: String, _ segments: [String]) {
        #expect(Routes.segments(of: path) == segments)
    }
}
