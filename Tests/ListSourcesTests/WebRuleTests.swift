import KeyedLists
import Testing

@testable import ListSources
@testable import WebSources

/// What a web source decides without a server.
struct WebRuleTests {
    @Test(
        arguments: [
            (#"<https://a.example/?page=2>; rel="next""#, "https://a.example/?page=2"),
            (#"</a,b>; title="x, <y>"; rel="last", <?p=2>;rel=next"#, "?p=2"),
            (#"<x>; rel="prev first", <y>; REL="nofollow Next""#, "y"), (#"<x>; rel="last""#, nil), ("", nil),
            (#"<x>; title="rel=next""#, nil), ("<x", nil),
        ] as [(String, String?)])
    func theNextLinkIsTheOneWhoseRelationsSaySo(header: String, target: String?) {
        #expect(LinkHeader.next(in: header) == target)
    }

    @Test(
        arguments: [
            (.link, "https://a.example/list?page=3"), (.url(JSONPointer(["next"])), "https://a.example/more?x=1"),
            (.url(JSONPointer(["none"])), nil),
            (.cursor(JSONPointer(["cursor"]), parameter: "after"), "https://a.example/list?q=1&after=a%2Bb%20c"),
            (.page(parameter: "page"), "https://a.example/list?q=1&page=3"),
            (.page(parameter: "p"), "https://a.example/list?q=1&page=2&p=2"), (nil, nil),
        ] as [(WebPaging?, String?)])
    func theNextPageIsWhereTheAnswerSays(paging: WebPaging?, url: String?) throws {
        let next = NextPage(paging, request: WebRequest("https://a.example/list?q=1"))
        #expect(try next.url(after: try answer("https://a.example/list?q=1&page=2"), rows: 2) == url)
    }

    @Test
    func aPageWithoutRowsIsTheLast() throws {
        let next = NextPage(.page(parameter: "page"), request: WebRequest("https://a.example/"))
        #expect(try next.url(after: try answer("https://a.example/?page=9"), rows: 0) == nil)
    }

    /// Headers with secrets go with it.
    @Test(arguments: ["https://b.example/", "http://a.example/", "https://a.example:444/", "javascript:alert(1)"])
    func theNextPageIsNotAnotherServers(link: String) throws {
        let answer = try answer("https://a.example/", link: "<\(link)>; rel=next")
        let next = NextPage(.link, request: WebRequest("https://a.example/"))
        #expect(throws: SourceError.self) { try next.url(after: answer, rows: 1) }
    }

    @Test(
        arguments: [
            ("120", .seconds(120)), ("0", .zero), ("-5", .zero), ("99999999", .seconds(86_400)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)), ("Sun, 06 Nov 1994 08:49:30 GMT", .zero), ("soon", nil),
        ] as [(String, Duration?)])
    func retryAfterIsSecondsOrADate(text: String, wait: Duration?) {
        #expect(WebResponse.wait(text, now: 784_111_777_000) == wait)
    }

    @Test
    func whoAskedToBeLeftAloneIsNotAskedBefore() throws {
        var memory = WebSourceState()
        memory.notBefore = (.seconds(30), since: 1000, SourceError(message: "Wait."))
        let error = #expect(throws: SourceError.self) { try memory.checkPatience(now: 11_000) }
        #expect(error == SourceError(message: "Wait.", retryAfter: .seconds(20)))
        try memory.checkPatience(now: 31_000)
        try memory.checkPatience(now: 11_000)
    }

    @Test
    func theETagIsAskedForBeforeTheDate() {
        var memory = WebSourceState()
        #expect(memory.conditions.isEmpty)
        memory.begin(WebSourceState.Kept(rows: [], etag: "\"a\"", lastModified: "then"))
        #expect(memory.conditions == ["If-None-Match": "\"a\""])
        memory.begin(WebSourceState.Kept(rows: [], lastModified: "then"))
        #expect(memory.conditions == ["If-Modified-Since": "then"])
    }

    @Test(arguments: [
        [127, 0, 0, 1], [10, 1, 2, 3], [172, 16, 0, 1], [172, 31, 255, 255], [192, 168, 1, 1], [169, 254, 169, 254],
        [100, 64, 0, 1], [0, 0, 0, 0], [224, 0, 0, 1], [255, 255, 255, 255],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1],
        [0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0, 1],
        [0x20, 0x02, 192, 168, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ])
    func addressesThatTheWorldDoesNotReachArePrivate(bytes: [UInt8]) {
        #expect(NetworkAddress(bytes: bytes).isPrivate)
    }

    @Test(arguments: [
        [1, 1, 1, 1], [172, 15, 0, 1], [172, 32, 0, 1], [192, 169, 0, 1], [100, 128, 0, 1], [223, 255, 255, 255],
        [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 8, 8, 8, 8],
    ])
    func otherAddressesAreNot(bytes: [UInt8]) {
        #expect(!NetworkAddress(bytes: bytes).isPrivate)
    }

    @Test
    func whatPeopleReadHasNeitherPathNorQuery() throws {
        let answer = WebResponse(
            status: 500, headers: [:], body: Array("oh\ndear".utf8),
            url: try #require(WebURL("https://me:pw@api.example.org/people?token=s3cret#x")))
        let error = #expect(throws: SourceError.self) { try answer.check(isConditional: false) }
        #expect(error?.message == "api.example.org has a fault (status 500).")
        #expect(error?.detail == "The URL was https://api.example.org/people. It said: oh dear")
    }

    @Test
    func linksBeginWhereTheAnswerCameFrom() throws {
        var reader = RowReader(RowLayout(.json), of: "the answer", base: WebURL("https://a.example/b/c"))
        let json =
            #"[{"title": "T", "link": "/x", "image": "d.png"}, {"title": "U", "link": "https://b.example/?q=a b"}]"#
        let rows = try Array(json.utf8).withUnsafeBytes { try reader.append($0) } + (try reader.finish())
        #expect(rows[0].text("link") == "https://a.example/x" && rows[0].text("image") == "https://a.example/b/d.png")
        #expect(rows[1].text("link") == "https://b.example/?q=a%20b")
    }

    private func answer(_ url: String, link: String = "</list?page=3>; rel=\"next\"") throws -> WebResponse {
        WebResponse(
            status: 200, headers: ["link": link],
            body: Array(#"{"next": "more?x=1", "cursor": "a+b c", "rows": []}"#.utf8), url: try #require(WebURL(url)))
    }
}
