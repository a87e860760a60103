import Testing

@testable import WebSockets

/// How heads are read; what is refused is in `HeadRefusalTests`.
struct HeadReaderTests {
    @Test func aNameIsEscapedToOnePartOfAPath() {
        #expect(PercentEncoding.component("a b/ü.~") == "a%20b%2F%C3%BC.~")
    }

    private func read(_ text: String) -> RequestHead? {
        guard case .head(let head)? = HeadTranscript(Array(text.utf8)).steps.first else { return nil }
        return head
    }

    private func get(_ target: String) -> RequestHead? { read("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n") }

    @Test func aHeadIsTakenApart() throws {
        let head = try #require(
            read("PUT /lists/a?x=1&y=%202 HTTP/1.1\r\nhost: localhost\r\nX-Empty:\r\nContent-Length:\t 5 \t\r\n\r\n"))
        #expect(head.method == "PUT" && head.path == "/lists/a" && head.query == "x=1&y=%202")
        #expect(head.headers == ["host": "localhost", "X-Empty": "", "Content-Length": "5"])
        #expect(head.headers["HOST"] == "localhost")
        #expect(head.keepsAlive && !head.expectsContinue)
    }

    @Test func whatFollowsStaysWhereItIs() {
        let bytes = Array("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello".utf8)
        bytes.withUnsafeBytes { bytes in
            var reader = HeadReader(limits: .samples)
            var rest = bytes
            guard case .head = reader.read(&rest) else { return #expect(Bool(false)) }
            #expect(rest.elementsEqual("hello".utf8) && reader.isIdle)
        }
    }

    @Test func oneHeadAfterAnother() {
        let transcript = HeadTranscript(
            Array("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.0\r\nA: b\r\n\r\n\r\nGET /3 HT".utf8))
        let heads = transcript.steps.map {
            if case .head(let head) = $0 { head.path + " \(head.keepsAlive)" } else { "" }
        }
        #expect(heads == ["/1 true", "/2 false"] && !transcript.isIdle)
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func everyMethodIsRead(_ method: String) { #expect(read("\(method) / HTTP/1.1\r\n\r\n")?.method == method) }

    @Test(arguments: [
        ("/", "/"), ("/x//y", "/x/y"), ("//x", "/x"), ("/x/./y", "/x/y"), ("/x/../y", "/y"), ("/../../y", "/y"),
        ("/x/..", "/"), ("/x/.", "/x/"), ("/x/y/..", "/x/"), ("/x/", "/x/"), ("/...", "/..."), ("/.x", "/.x"),
        ("/x/..y", "/x/..y"), ("/x/%2e%2E/y", "/y"), ("/x%2Fy", "/x/y"), ("/x%2f%2E%2e%2f..%2Fy", "/y"),
        ("/%252e%252e/y", "/%2e%2e/y"), ("/x%20y", "/x y"), ("/x+y;z&=", "/x+y;z&="), ("/%C3%BC", "/ü"), ("/ü", "/ü"),
        ("/x%3Fy", "/x?y"), ("/x?/../y", "/x"), ("*", "/"), ("http://localhost", "/"), ("HTTP://localhost/x/..", "/"),
    ])
    func aPathIsDecodedThenResolved(_ target: String, _ path: String) {
        #expect(read("OPTIONS \(target) HTTP/1.1\r\n\r\n")?.path == path)
    }

    @Test(arguments: [
        ("/a%2Fb/c", ["a/b", "c"]), ("/a%2F%2Fb", ["a//b"]), ("/https%3A%2F%2Fx%2F", ["https://x/"]),
        ("/a//b/", ["a", "", "b", ""]), ("/a/../b", ["a", "..", "b"]), ("/%2e%2E/%2e", ["..", "."]), ("/", [""]),
        ("/%252F", ["%2F"]), ("/ü%C3%BC", ["üü"]), ("http://localhost", [""]), ("http://localhost/a%2Fb?c/d", ["a/b"]),
        ("/%CC%81/\u{301}x", ["\u{301}", "\u{301}x"]), ("/a\u{301}/b", ["a\u{301}", "b"]),
    ])
    func aPathIsSplitBeforeItsSegmentsAreDecoded(_ target: String, _ segments: [String]) throws {
        let head = try #require(get(target))
        let request = HTTPRequest(path: head.path, rawPath: head.rawPath)
        #expect(request.segments.map { Array($0.utf8) } == segments.map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("/", ""), ("/?", ""), ("/?a=1&b=%2F+c", "a=1&b=%2F+c"), ("/?a?b", "a?b"), ("/?ü", "%C3%BC"), ("/?%FF", "%FF"),
        ("http://localhost?a", "a"),
    ])
    func aQueryStaysEncoded(_ target: String, _ query: String) { #expect(get(target)?.query == query) }

    @Test func anAbsoluteAddressNamesTheHost() {
        #expect(get("http://lists.example:81/x")?.headers["Host"] == "lists.example:81")
        #expect(
            read("GET http://lists.example/x HTTP/1.1\r\n\r\n")?.headers["Host"] == nil,
            "Host must be there all the same")
    }

    @Test func fieldsOfOneNameAreAList() throws {
        let head = try #require(
            read(
                "GET / HTTP/1.1\r\nConnection: Upgrade\r\nCookie: a=1\r\nconnection: close\r\nCookie: b=2\r\n"
                    + "X:\r\nx: y\r\nX:\r\n\r\n"))
        #expect(head.headers == ["Connection": "Upgrade, close", "Cookie": "a=1; b=2", "X": "y"] && !head.keepsAlive)
    }

    @Test func valuesAreUTF8OrElseLatin() {
        let value = { (bytes: [UInt8]) -> String? in
            let all = Array("GET / HTTP/1.1\r\nX: ".utf8) + bytes + Array("\r\n\r\n".utf8)
            guard case .head(let head)? = HeadTranscript(all).steps.first else { return nil }
            return head.headers["X"]
        }
        #expect(value([0xC3, 0xBC]) == "ü" && value([0xFC]) == "ü" && value([0x61, 0x09, 0x62]) == "a\tb")
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: x, CLOSE\r\n", false), ("HTTP/1.0", "", false),
        ("HTTP/1.0", "Connection: Keep-Alive\r\n", true), ("HTTP/1.9", "", true),
    ])
    func aConnectionIsKeptAsItsVersionHasIt(_ version: String, _ field: String, _ keepsAlive: Bool) {
        #expect(read("GET / \(version)\r\n\(field)\r\n")?.keepsAlive == keepsAlive)
    }

    @Test func onlyANewClientWaitsForContinue() {
        #expect(read("PUT / HTTP/1.1\r\nExpect: 100-Continue\r\n\r\n")?.expectsContinue == true)
        #expect(read("PUT / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n")?.expectsContinue == false)
        #expect(read("PUT / HTTP/1.1\r\nExpect: the-unexpected\r\n\r\n")?.expectsContinue == false)
    }

    @Test func whatIsJustAllowedIsRead() {
        let address = "/" + String(repeating: "a", count: HeadLimits.samples.address - 1)
        let field = "A: " + String(repeating: "b", count: HeadLimits.samples.fields - 5) + "\r\n"
        #expect(read("OPTIONS \(address) HTTP/1.1\r\n\(field)\r\n")?.headers.fields.count == 1)
        let many = (0..<100).map { "\($0):\r\n" }.joined()
        #expect(read("\r\n\r\nGET / HTTP/1.1\r\n\(many)\r\n")?.headers.fields.count == 100)
    }

    @Test(.timeLimit(.minutes(1))) func aByteAtATimeTakesNoMoreThanItsTime() {
        let limits = HeadLimits(address: 200_000, fields: 200_000)
        let long = String(repeating: "a", count: 190_000)
        let transcript = HeadTranscript(Array("GET /\(long) HTTP/1.1\r\nA: \(long)\r\n\r\n".utf8), limits) { 1 }
        #expect(transcript.steps.count == 1 && transcript.isIdle)
    }

    @Test(arguments: 0..<300) func wherePiecesAreCutIsNothingToTheReader(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = RandomHeads.bytes(&generator)
        let whole = HeadTranscript(bytes)
        #expect(HeadTranscript(bytes, pieces: { 1 }) == whole, "seed \(seed)")
        for most in [2, 5, 40] {
            let cut = HeadTranscript(bytes, pieces: { Int.random(in: 1...most, using: &generator) })
            #expect(cut == whole, "seed \(seed), pieces of up to \(most)")
        }
    }
}

extension HeadLimits {
    static let samples = HeadLimits(address: 200, fields: 800)
}
