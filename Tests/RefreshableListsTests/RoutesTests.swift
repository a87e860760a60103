import KeyedLists
import Testing
import WebSockets

@testable import RefreshableLists

struct RoutesTests {
    @Test(
        arguments: [
            ("/", .other), ("/lists", .lists), ("/lists/a", .list("a")), ("/lists/", .list("")),
            ("/lists/a/refresh", .refresh("a")),
            ("/lists/a%2Frefresh", .list("a/refresh")), ("/lists/a/rows", .other), ("/lists/a/more", .other),
            ("/lists/\u{487}x", .list("\u{487}x")), ("//lists", .other), ("/healthz", .healthz), ("/readyz", .readyz),
            ("/metrics", .metrics), ("/metrics/", .other),
        ] as [(String, Endpoint)])
    func anAddressNamesOneThing(_ path: String, _ endpoint: Endpoint) {
        #expect(Endpoint(HTTPRequest(path: "", rawPath: path)) == endpoint)
    }

    @Test(arguments: [
        ("a", "a"), ("a/b", "a/b"), ("a%2Fb", "a/b"), ("a%2F%2Fb", "a//b"), ("a//b", "a//b"), ("%2F", "/"),
        ("a/", "a/"), ("", ""),
        ("https%3A%2F%2Fexample.org%2Fx", "https://example.org/x"), ("a%2F..%2Fb", "a/../b"), ("...", "..."),
        ("%25", "%"),
        ("%252F", "%2F"), ("refresh", "refresh"), ("%E2%80%AE", "\u{202E}"),
    ])
    func aKeyIsWhatTheRestOfThePathSays(_ rest: String, _ key: String) {
        let endpoint = Endpoint(HTTPRequest(path: "", rawPath: "/lists/a/rows/\(rest)"))
        #expect(endpoint == .row(list: "a", Key(key)))
    }

    @Test(arguments: [".", "..", "%2E", "%2e%2E", "a/../b", "a/./b", "a/.."])
    func aKeyThatProxiesWouldResolveIsRefused(_ rest: String) {
        #expect(Endpoint(HTTPRequest(path: "", rawPath: "/lists/a/rows/\(rest)")) == .ambiguousRow)
    }
}
