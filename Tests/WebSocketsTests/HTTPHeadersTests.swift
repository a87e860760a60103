import Testing

@testable import WebSockets

struct HTTPHeadersTests {
    @Test(arguments: [
        ("a, b,c", ["a", "b", "c"]), (" ,\t, a\t,", ["a"]), ("", []), ("a,\u{301}b", ["a", "\u{301}b"]),
        ("a , \u{301}", ["a", "\u{301}"]),
    ])
    func aCommaPartsAListWhateverFollowsIt(_ value: String, _ members: [Substring]) {
        #expect((["A": value] as HTTPHeaders).list("a") == members)
    }

    @Test func fieldsAreJoinedAsTheyCome() {
        var headers: HTTPHeaders = ["A": "", "Cookie": "a=1"]
        for (name, value) in [("a", "1"), ("A", ""), ("a", "2"), ("cookie", "b=2"), ("B", "x")] {
            headers.receive(name, value)
        }
        #expect(headers == ["A": "1, 2", "Cookie": "a=1; b=2", "B": "x"])
    }
}
