import ListProtocol
import Locking
import RefreshableListsTesting
import Testing

@testable import RefreshableLists
@testable import WebSockets

/// Who asks a list over HTTP is a visitor like any other.
@Suite(.onThreadOfItsOwn) struct VisitorsOverHTTPTests {
    /// One request, and what becomes of it.
    private final class Request: Sendable {
        let answer = Locked<HTTPResponse?>(nil)
        let exchange: HTTPExchange

        init(_ perform: (HTTPExchange) -> Void) {
            exchange = HTTPExchange { [answer] response in answer.withLock { $0 = response } }
            perform(exchange)
        }

        var status: Int? { answer.withLock { $0?.status } }
        var text: String { answer.withLock { String(decoding: $0?.body ?? [], as: UTF8.self) } }
    }

    private static func get(_ list: LiveList) -> Request {
        Request { exchange in list.post { $0.answerRows(HTTPRequest(path: "/lists/fruit"), exchange) } }
    }

    private static func refresh(_ list: LiveList) -> Request {
        Request { exchange in list.post { $0.answerRefresh(key: nil, exchange) } }
    }

    @Test func allWhoGetAListThatLoadsForTheFirstTimeWaitForItsRows() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass()
                return [ListRow("apple")]
            })
        let requests = (0..<3).map { _ in Self.get(stage.list) }
        await stage.list.settle()
        #expect(requests.allSatisfy { $0.status == nil })
        gate.open()
        await stage.list.settled { requests.allSatisfy { $0.status != nil } }

        #expect(gate.begun == 1)
        #expect(requests.allSatisfy { $0.status == 200 && $0.text.contains("apple") })
    }

    @Test func aListWhoseFirstLoadWasCancelledIsLoadedForTheNextWhoGetsIt() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass()
                return [ListRow("apple")]
            })
        await stage.watch()
        await gate.arrival()
        await stage.stop("ann")
        gate.open()
        await stage.tested.settle()
        let request = Self.get(stage.list)
        await stage.list.settled { request.status != nil }

        #expect(request.status == 200 && request.text.contains("apple"))
    }

    @Test func aListWhoseFirstRunIsRefusedAnswersWhatIsThere() async {
        let stage = Stage(RefreshableList("fruit").refreshable { [ListRow("apple")] }.shouldRefresh { "Not today." })
        let request = Self.get(stage.list)
        await stage.list.settle()
        #expect(request.status == 200 && request.text.contains("\"rows\":[]"))
    }

    @Test func aListThatWasNeverLoadedBeginsNoRunWhileTheServerStops() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass()
                return [ListRow("apple")]
            })
        await stage.list.drain(within: .seconds(1)) {}
        let request = Self.get(stage.list)
        await stage.watch()
        #expect(request.status == 200 && gate.begun == 0)
        #expect(await stage.list.currentRun == nil)
    }

    @Test func aListThatCanNotBeReadSaysSo() async {
        let store = FailingStore()
        store.fail([.load])
        let stage = Stage(RefreshableList("fruit").refreshable { [] }, store: store)
        let requests = [Self.get(stage.list), Self.refresh(stage.list)]
        await stage.list.settle()
        #expect(requests.map(\.status) == [503, 503])
    }

    @Test func aRefreshHasTheCauseOfAPersons() async {
        let cause = Locked<RefreshCause?>(nil)
        let stage = Stage(
            RefreshableList("fruit").refreshable { run in
                cause.withLock { $0 = run.cause }
            })
        let request = Self.refresh(stage.list)
        await stage.list.settled { request.status != nil }
        #expect(request.status == 200 && cause.withLock(\.self) == .refresh)
    }

    @Test func whoRefreshesAgainTooSoonIsToldWhenToComeBack() async {
        let stage = Stage(
            RefreshableList("fruit").refreshable { [ListRow("apple")] }.minimumInterval(.seconds(60)))
        let first = Self.refresh(stage.list)
        await stage.list.settled { first.status != nil }
        await stage.advance(by: .milliseconds(20_500))
        let second = Self.refresh(stage.list)
        await stage.list.settle()
        #expect(second.status == 429 && second.text.contains("40 s"))
        #expect(second.answer.withLock { $0?.headers["Retry-After"] } == "40")
    }

    @Test func whenAllWhoWantedARunHaveLeftItEnds() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass()
                return [ListRow("apple")]
            })
        let requests = [Self.refresh(stage.list), Self.refresh(stage.list)]
        await gate.arrival()
        requests[0].exchange.abandon()
        await stage.list.settle()
        #expect(await stage.list.gate.current?.cancelledAt == nil, "one still waits")
        requests[1].exchange.abandon()
        await stage.list.settle()
        #expect(await stage.list.gate.current?.cancelledAt != nil)
        #expect(await stage.list.waiters.isEmpty, "nothing is kept for who left")
        gate.open()
    }

    @Test func whoLeavesBeforeTheFirstRowsLeavesNothingBehind() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("fruit").refreshable {
                await gate.pass()
                return [ListRow("apple")]
            })
        let request = Self.get(stage.list)
        await gate.arrival()
        request.exchange.abandon()
        await stage.list.settle()
        #expect(await stage.list.waiters.isEmpty)
        await stage.advance(by: .seconds(11))
        #expect(
            await stage.list.gate.current?.cancelledAt != nil, "an initial load with nobody left ends after its grace")
        gate.open()
    }

    @Test func aRunOfAListThatCanNotBeReadIsRefusedAndNoneIsPromised() async {
        let store = FailingStore()
        store.fail([.load])
        let stage = Stage(RefreshableList("fruit").refreshable { [] }, store: store)
        let feed = LoopFeed { _ in }
        stage.list.post {
            $0.refresh(
                .init(requester: .session("s"), cause: .refresh), pending: RequestID(socket: 1, messageID: "r"),
                to: feed)
        }
        await stage.list.settle()
        guard case .answered(_, .unavailable)? = feed.take().deliveries.first else {
            Issue.record("It was not refused.")
            return
        }
        #expect(await stage.list.currentRun == nil)
    }
}

extension LiveList {
    /// Waits until what tasks have to say to the list has come, and something is so.
    fileprivate func settled(_ isSo: @Sendable () -> Bool) async {
        while !isSo() { await Task.yield() }
    }
}
