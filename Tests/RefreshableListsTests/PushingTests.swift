import KeyedLists
import ListProtocol
import ListStorage
import Testing

@testable import RefreshableLists
@testable import WebSockets

/// What programs push over HTTP, from the request to the answer, without a socket.
struct PushingTests {
    private let stage = Stage(RefreshableList("board").rows([ListRow("a"), ListRow("b")]).acceptsPushes())

    @Test func aPushIsAnsweredWithWhereTheListIsOnceItIsKept() async throws {
        let response = await stage.patch(#"{"set":[{"key":"c","fields":{"title":"C"}}],"remove":["a"]}"#)

        let revision = try await stage.list.revision
        #expect(response.status == 200)
        #expect(response.text == #"{"epoch":"\#(revision.epoch)","revision":2}"#)
        #expect(response.headers["ETag"] == "\"\(revision)\"")
        #expect(try await stage.list.rows == [ListRow("c", title: "C"), ListRow("b")])
    }

    @Test func rowsArePlacedByTheirNeighboursOrTheEnds() async {
        _ = await stage.patch(
            #"""
            {"set":[{"key":"c","fields":{},"at":"end"},{"key":"d","fields":{},"before":"b"},
                    {"key":"e","fields":{},"after":"b"},{"key":"a","at":"end"},{"key":"f","fields":{}},{"key":"b","at":"top"}]}
            """#)

        #expect(await stage.titles == ["b", "f", "d", "e", "c", "a"])
    }

    @Test func aRowIsPutAsNewOrChangedAndDeletedOnceOrTwice() async throws {
        let new = await stage.put("c/d", #"{"fields":{"title":"C"},"after":"a"}"#)
        let known = await stage.put("c/d", #"{"fields":{"title":"D"}}"#)
        #expect([new.status, known.status] == [201, 200])
        #expect(try await stage.list.rows == [ListRow("a"), ListRow("c/d", title: "D"), ListRow("b")])

        let first = await stage.delete("c/d")
        let second = await stage.delete("c/d")
        #expect([first.status, second.status] == [200, 200])
        #expect(first.body == second.body)
        #expect(await stage.titles == ["a", "b"])
    }

    @Test func aRowWithoutFieldsThatIsNotThereIsNamed() async {
        let patched = await stage.patch(#"{"set":[{"key":"b"},{"key":"z","at":"end"}],"remove":["a"]}"#)
        let put = await stage.put("z", #"{"at":"end"}"#)

        #expect(patched.status == 422 && patched.text.contains(#""detail":"set[1].fields: is missing"#))
        #expect(put.status == 422 && put.text.contains(#""detail":"fields: is missing"#))
        #expect(await stage.titles == ["a", "b"])
    }

    @Test func aProblemHasTypeTitleStatusAndDetail() async {
        let response = await stage.patch("{")

        #expect(response.status == 400)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(
            response.text.hasPrefix(#"{"type":"about:blank","title":"Bad Request","status":400,"detail":"Cannot read"#))
    }

    @Test func whatIsTooLargeIsA413() async {
        let title = String(repeating: "t", count: 16_384)
        let response = await stage.put("l", #"{"fields":{"title":"\#(title)"}}"#)

        #expect(response.status == 413 && response.text.contains("at most 16384"))
    }

    // MARK: If-Match

    @Test func aPushForAnEarlierRevisionIsA412ThatSaysWhereTheListIs() async throws {
        let seen = try await stage.list.revision
        let current = try await stage.list.remove("a")

        let response = await stage.patch(#"{"remove":["b"]}"#, ["If-Match": "\"\(seen)\""])

        #expect(response.status == 412)
        #expect(response.headers["ETag"] == "\"\(current)\"")
        #expect(response.text.hasSuffix(#""epoch":"\#(current.epoch)","revision":2}"#))
        #expect(await stage.titles == ["b"])
    }

    @Test(arguments: [
        ("\"%\"", 200), ("*", 200), ("\"x:1\", \"%\"", 200), ("\"x:1\",\"%\"", 200), ("W/\"%\"", 412), ("%", 412),
        ("\"x:1\"", 412), ("", 412),
    ])
    func aConditionHoldsForTheTagOfTheList(condition: String, status: Int) async throws {
        let revision = try await stage.list.revision.description
        let tags = condition.split(separator: "%", omittingEmptySubsequences: false).joined(separator: revision)

        #expect(await stage.patch(#"{"remove":["b"]}"#, ["If-Match": tags]).status == status)
    }

    // MARK: Idempotency-Key

    @Test func aPushSentTwiceWithItsKeyIsDoneOnceAndAnsweredAlike() async throws {
        let first = await stage.patch(#"{"set":[{"key":"b","at":"top"}]}"#, ["Idempotency-Key": "k"])
        try await stage.list.move("b", .last)
        let second = await stage.patch(#"{"set":[{"key":"b","at":"top"}]}"#, ["Idempotency-Key": "k"])

        #expect(first == second)
        #expect(await stage.titles == ["a", "b"])
    }

    @Test func aKeyIsCheckedBeforeTheConditionThatTheFirstPushOutdated() async throws {
        let headers: HTTPHeaders = ["Idempotency-Key": "k", "If-Match": "\"\(try await stage.list.revision)\""]

        let first = await stage.patch(#"{"remove":["b"]}"#, headers)
        let second = await stage.patch(#"{"remove":["b"]}"#, headers)

        #expect([first.status, second.status] == [200, 200])
    }

    @Test func aKeyOfAnotherPushIsA422() async {
        _ = await stage.patch(#"{"remove":["b"]}"#, ["Idempotency-Key": "k"])

        let other = await stage.patch(#"{"remove":["a"]}"#, ["Idempotency-Key": "k"])
        let elsewhere = await stage.delete("b", ["Idempotency-Key": "k"])

        #expect([other.status, elsewhere.status] == [422, 422])
        #expect(await stage.titles == ["a"])
    }

    @Test func aPushThatWasRefusedMayBeMendedUnderItsKey() async {
        let first = await stage.patch(#"{"remove":"b"}"#, ["Idempotency-Key": "k"])
        let second = await stage.patch(#"{"remove":["b"]}"#, ["Idempotency-Key": "k"])

        #expect([first.status, second.status] == [400, 200])
    }

    @Test func aKeyIsForgottenAfterTenMinutes() async {
        _ = await stage.patch(#"{"remove":["b"]}"#, ["Idempotency-Key": "k"])
        await stage.advance(by: .seconds(599))
        #expect(await stage.patch(#"{"remove":["a"]}"#, ["Idempotency-Key": "k"]).status == 422)

        await stage.advance(by: .seconds(1))
        #expect(await stage.patch(#"{"remove":["a"]}"#, ["Idempotency-Key": "k"]).status == 200)
    }

    // MARK: Beside runs, and limits of a list

    @Test func aPushIsKeptThroughTheRunThatItCrossed() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("board").acceptsPushes().refreshable {
                await gate.pass()
                return [ListRow("a", title: "source")]
            })
        async let run = stage.refresh()
        await gate.arrival()

        _ = await stage.put("a", #"{"fields":{"title":"pushed"}}"#)
        gate.open()
        _ = await run

        let rows = await stage.list.kept?.rows.rows.map(\.row)
        #expect(rows == [ListRow("a", title: "pushed")])
    }

    @Test func aListGrowsByPushesUpToItsLimitAlone() async throws {
        await stage.list.take(PushLimits(listRows: 3))

        let last = await stage.put("last", #"{"fields":{}}"#)
        let more = await stage.put("more", #"{"fields":{}}"#)
        let other = await stage.patch(#"{"set":[{"key":"more","fields":{}}],"remove":["last"]}"#)

        #expect([last.status, more.status, other.status] == [201, 422, 200])
        #expect(more.text.contains("the list may hold 3"))
    }

    @Test func aPushThatCannotBeKeptIsA503AndMayBeSentAgain() async throws {
        let store = FailingStore()
        let stage = Stage(RefreshableList("board").acceptsPushes(), store: store)
        let seen = await stage.put("a", #"{"fields":{}}"#).headers["ETag"]
        let headers: HTTPHeaders = ["If-Match": seen ?? "", "Idempotency-Key": "k"]

        store.fail([.commit, .load])
        let first = await stage.patch(#"{"remove":["a"]}"#, headers)
        let second = await stage.patch(#"{"remove":["a"]}"#, headers)
        store.fail([])
        let third = await stage.patch(#"{"remove":["a"]}"#, headers)

        #expect([first.status, second.status, third.status] == [503, 503, 200])
        #expect(!first.text.contains("secret"))
        #expect(await stage.titles.isEmpty)
    }

    @Test func aListWhoseServerHasStoppedIsA503() async {
        await stage.list.end()

        #expect(await stage.delete("a").status == 503)
    }
}

extension LiveList {
    fileprivate func take(_ limits: PushLimits) { pushLimits = limits }
}

extension Stage {
    fileprivate func patch(_ body: String, _ headers: HTTPHeaders = [:]) async -> HTTPResponse {
        await push(.patch, body, headers)
    }

    fileprivate func put(_ key: Key, _ body: String) async -> HTTPResponse { await push(.put(key), body, [:]) }

    fileprivate func delete(_ key: Key, _ headers: HTTPHeaders = [:]) async -> HTTPResponse {
        await push(.delete(key), "", headers)
    }

    private func push(_ kind: Push.Kind, _ body: String, _ headers: HTTPHeaders) async -> HTTPResponse {
        let request = HTTPRequest(path: "", headers: headers, body: Array(body.utf8))
        guard let push = try? Push(kind, request) else { return .text(400, "The key is too long.") }
        return await withCheckedContinuation { continuation in
            list.post { $0.answer(push, HTTPExchange { continuation.resume(returning: $0) }) }
        }
    }
}

extension HTTPResponse {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
