import RefreshableListsTesting
import Testing

@testable import RefreshableLists
@testable import WebSockets

/// Who asks whether a server is ready hears of lists that can't be read, and, where they may know, which.
struct ReadinessTests {
    private let store: FailingStore
    private let tested: TestedList
    private let drain = DrainFlag()

    init() {
        store = FailingStore()
        tested = TestedList(RefreshableList("names"), store: store)
    }

    private func answer(
        _ readers: MetricsReaders = .local, to request: HTTPRequest = HTTPRequest(path: "/readyz"),
        _ access: Access = .open
    ) async -> HTTPResponse {
        let readiness = Readiness(
            lists: ListDirectory([tested.live]), store: store, drain: drain, readers: readers,
            authenticator: Authenticator(access, clock: SystemClock()))
        return await withCheckedContinuation { continuation in
            readiness.answer(request, HTTPExchange { continuation.resume(returning: $0) })
        }
    }

    private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test func whereEveryListCanBeReadItIsReady() async {
        #expect(await answer().status == 200)
    }

    @Test func aListThatCanNotBeReadIsNamedToThisMachineAlone() async {
        store.fail([.load])
        let near = await answer()
        let far = await answer(to: HTTPRequest(path: "/readyz", remoteAddress: "192.0.2.1"))
        let open = await answer(.all, to: HTTPRequest(path: "/readyz", remoteAddress: "192.0.2.1"))

        #expect([near.status, far.status, open.status] == [503, 503, 503])
        #expect(near.headers["Retry-After"] == "2")
        #expect(text(near).contains("names") && text(open).contains("names") && !text(far).contains("names"))
    }

    @Test func whereTokensAreAskedForNoListIsNamed() async {
        store.fail([.load])
        let answer = await answer(.all, to: HTTPRequest(path: "/readyz"), .tokens([]))
        #expect(answer.status == 503 && !text(answer).contains("names"))
    }

    @Test func aServerThatIsAboutToStopIsNotReady() async {
        drain.turnOn()
        let answer = await answer()
        #expect(answer.status == 503 && answer.headers["Retry-After"] == "2")
    }
}
