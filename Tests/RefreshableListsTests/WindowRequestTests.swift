import KeyedLists
import ListProtocol
import Testing
import WebSockets

@testable import RefreshableLists

struct WindowRequestTests {
    @Test(
        arguments: [
            ("first=120&count=60", .first(120, count: 60)), ("first=5", .first(5, count: 100)),
            ("count=7", .first(0, count: 7)),
            ("last=60", .last(60)), ("around=a%20b", .around("a b", before: 30, after: 30)),
            ("around=k&before=0&after=2", .around("k", before: 0, after: 2)),
            ("around=7&index=4", .around("7", before: 30, after: 30, orAt: 4)), ("v=2&last=1", .last(1)), ("", nil),
            ("v=2", nil),
        ] as [(String, Window?)])
    func aWindowIsInTheAddress(query: String, window: Window?) throws {
        #expect(try WindowRequest(request(query))?.view.window == window)
    }

    @Test(arguments: [
        ("count=0", "The parameter \"count\" should be a whole number from 1 to 1000, not 0."),
        ("count=1001", "The parameter \"count\" should be a whole number from 1 to 1000, not 1001."),
        ("first=-1", "The parameter \"first\" should be a whole number from 0 on, not -1."),
        ("last=x", "The parameter \"last\" should be a whole number from 1 to 1000, not \"x\"."),
        (
            "around=a&count=5",
            "The parameter \"count\" does not go with \"around\". Ask by \"first\" and \"count\"; by \"around\", \"before\", "
                + "\"after\" and \"index\"; or by \"last\"."
        ),
        (
            "before=5",
            "The parameter \"before\" does not go with \"first\". Ask by \"first\" and \"count\"; by \"around\", \"before\", "
                + "\"after\" and \"index\"; or by \"last\"."
        ),
    ])
    func whatCannotBeReadIsSaid(query: String, detail: String) {
        do throws(UnreadableAddress) {
            _ = try WindowRequest(request(query))
            Issue.record("It was read.")
        } catch {
            #expect(error.detail == detail)
        }
    }

    @Test(
        arguments: [
            (0..<60, 60, nil), (0..<60, 100, "<?first=60&count=60>; rel=\"next\""),
            (40..<100, 100, "<?first=0&count=40>; rel=\"prev\""),
            (100..<160, 900, "<?first=40&count=60>; rel=\"prev\", <?first=160&count=60>; rel=\"next\""),
        ] as [(Range<Int>, Int, String?)])
    func linksLeadToWhatIsBesideIt(range: Range<Int>, total: Int, links: String?) throws {
        let window = try #require(try WindowRequest(request("count=60")))
        #expect(window.links(beside: range, of: total) == links)
    }

    private func request(_ query: String) -> HTTPRequest { HTTPRequest(path: "/lists/log", query: query) }
}
