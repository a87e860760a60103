import KeyedLists
import WebSockets

/// The same facts over plain HTTP: the page, the lists, their rows, and a refresh that is waited for.
struct Routes: Sendable {
    let lists: ListDirectory
    let files: StaticFiles
    let pushes: PushAdmission
    let metrics: MetricsPage
    let readiness: Readiness
    let doors: Doorkeeper
    let signIn: SignIn

    /// From a loop's thread; answers now or later.
    func answer(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if readiness.drain.isOn, request.method != "GET", request.method != "HEAD" {
            return exchange.answer(request.path.hasPrefix("/lists/") ? HTTPResponse.comeBack.asProblem : .comeBack)
        }
        if let response = signIn.response(to: request) { return exchange.answer(response) }
        let path = Self.segments(of: request.path)
        switch path {
        case ["healthz"]: reading(request, exchange) { exchange.answer(.text(200, "ok")) }
        case ["readyz"]: reading(request, exchange) { readiness.answer(request, exchange) }
        case ["metrics"]:
            withVisitor(request, exchange) { visitor in
                guard mayReadMetrics(visitor) else {
                    return turnAway(visitor, .unauthorised(Self.metricsNeedAll), exchange)
                }
                metrics.answer(request, exchange)
            }
        case let path where path.first == "lists":
            withVisitor(request, exchange) { answer(request, below: path.dropFirst(), $0, exchange) }
        default: exchange.answer(files.response(to: request) ?? nothing(at: request))
        }
    }

    /// What stands behind each slash. A slash and an accent that follows it make one Character: so by bytes.
    static func segments(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Figures have the names of lists: where tokens are asked for, they are for whoever may read every list.
    private func mayReadMetrics(_ visitor: Visitor) -> Bool { visitor.kind == .anybody || visitor.rights.readsAll }

    private static let metricsNeedAll = "Figures of all lists are for those whose token allows to read all of them."

    /// What is below `/lists`.
    private func answer(
        _ request: HTTPRequest, below path: ArraySlice<String>, _ visitor: Visitor, _ exchange: HTTPExchange
    ) {
        guard let name = path.first else {
            return reading(request, exchange) { answerLists(for: visitor, exchange) }
        }
        let rest = path.dropFirst()
        guard rest.isEmpty || rest.elementsEqual(["refresh"]) || rest.count >= 2 && rest.first == "rows" else {
            return exchange.answer(nothing(at: request))
        }
        withList(name, visitor, exchange) { list in
            switch rest.first {
            case nil: answerList(list, request, visitor, exchange)
            case "refresh": answerRefresh(list, request, visitor, exchange)
            default:
                pushRow(Key(rest.dropFirst().joined(separator: "/")), request, visitor, to: list, exchange)
            }
        }
    }

    private func nothing(at request: HTTPRequest) -> HTTPResponse { .text(404, "There is nothing at \(request.path).") }

    private func withVisitor(_ request: HTTPRequest, _ exchange: HTTPExchange, _ body: (Visitor) -> Void) {
        let answer = doors.admit(ShownToken.of(request), from: request.remoteAddress)
        if case .visitor(let visitor) = answer { return body(visitor) }
        if let refusal = HTTPResponse.refusal(answer) { exchange.answer(refusal) }
    }

    /// Says no to somebody who may with another token, and counts it.
    private func turnAway(_ visitor: Visitor, _ response: HTTPResponse, _ exchange: HTTPExchange) {
        doors.count(visitor)
        exchange.answer(response)
    }

    private func answerList(
        _ list: LiveList, _ request: HTTPRequest, _ visitor: Visitor, _ exchange: HTTPExchange
    ) {
        if request.method == "PATCH" { return push(.patch, request, visitor, to: list, exchange) }
        let allowed = list.description.acceptsPushes ? "GET, HEAD, PATCH" : "GET, HEAD"
        reading(request, exchange, allowed) {
            guard visitor.may(.read, list.name) else {
                return turnAway(visitor, .forbidden(.read, list.name, visitor), exchange)
            }
            list.post { $0.answerRows(request, exchange) }
        }
    }

    private func reading(
        _ request: HTTPRequest, _ exchange: HTTPExchange, _ allowed: String = "GET, HEAD", _ body: () -> Void
    ) {
        if request.method == "GET" || request.method == "HEAD" { return body() }
        exchange.answer(.notAllowed(request, allowed))
    }

    /// A slash in a key is one in the path, for a path comes decoded.
    private func pushRow(
        _ key: Key, _ request: HTTPRequest, _ visitor: Visitor, to list: LiveList, _ exchange: HTTPExchange
    ) {
        switch request.method {
        case "PUT": push(.put(key), request, visitor, to: list, exchange)
        case "DELETE": push(.delete(key), request, visitor, to: list, exchange)
        default: exchange.answer(.notAllowed(request, "PUT, DELETE"))
        }
    }

    private func push(
        _ kind: Push.Kind, _ request: HTTPRequest, _ visitor: Visitor, to list: LiveList, _ exchange: HTTPExchange
    ) {
        if let refusal = refusalOfPush(request, visitor, to: list) { return exchange.answer(refusal) }
        let push = Push(kind, request)
        list.post { $0.answer(push, exchange) }
    }

    private func refusalOfPush(_ request: HTTPRequest, _ visitor: Visitor, to list: LiveList) -> HTTPResponse? {
        let address = request.remoteAddress
        if let (shown, isRight) = pushes.shown(by: visitor, request),
            let wait = doors.wait(forPush: shown, isRight: isRight, from: address)
        {
            doors.note(.guesses, from: address)
            return .refusal(.tooManyGuesses(wait: wait))
        }
        guard let (reason, refusal) = pushes.refusal(of: request, to: list.description, by: visitor) else { return nil }
        switch reason {
        case .token: doors.note(.token, from: address)
        case let reason?: doors.count(reason)
        case nil: break
        }
        return refusal
    }

    private func withList(
        _ name: String, _ visitor: Visitor, _ exchange: HTTPExchange, _ body: (LiveList) -> Void
    ) {
        if let list = lists[name, for: visitor] { return body(list) }
        if visitor.isStranger { doors.count(.anonymous) }
        exchange.answer(.unknown(name, visitor))
    }

    private func answerLists(for visitor: Visitor, _ exchange: HTTPExchange) {
        guard !visitor.isNobody else {
            return turnAway(visitor, .unauthorised("Show a token to see this server's lists."), exchange)
        }
        let lists = lists.all.filter { visitor.may(.read, $0.name) }
        let gathering = Gathering(count: lists.count) { parts in
            var json = JSONWriter()
            json.beginObject()
            json.name("lists")
            json.beginArray()
            for part in parts { json.raw(part) }
            json.endArray()
            json.endObject()
            exchange.answer(.json(200, json.bytes))
        }
        for (index, list) in lists.enumerated() {
            let mayRefresh = visitor.may(.refresh, list.name)
            list.post { gathering.put($0.summary(mayRefresh: mayRefresh), at: index) }
        }
    }

    private func answerRefresh(
        _ list: LiveList, _ request: HTTPRequest, _ visitor: Visitor, _ exchange: HTTPExchange
    ) {
        guard request.method == "POST" else { return exchange.answer(.notAllowed(request, "POST")) }
        guard visitor.may(.refresh, list.name) else {
            return turnAway(visitor, .forbidden(.refresh, list.name, visitor), exchange)
        }
        guard list.isRefreshable else {
            return exchange.answer(.problem(409, "The list \"\(list.name)\" has nothing to refresh it."))
        }
        let key = request.headers["Idempotency-Key"]
        list.post { $0.answerRefresh(key: key, exchange) }
    }

}

/// Waits for the parts of an answer, each from another list.
private final class Gathering: Sendable {
    private let state: Locked<(parts: [[UInt8]], missing: Int)>
    private let whenWhole: @Sendable ([[UInt8]]) -> Void

    init(count: Int, whenWhole: @escaping @Sendable ([[UInt8]]) -> Void) {
        state = Locked((Array(repeating: [], count: count), count))
        self.whenWhole = whenWhole
        if count == 0 { whenWhole([]) }
    }

    func put(_ part: [UInt8], at index: Int) {
        let parts = state.withLock { state -> [[UInt8]]? in
            state.parts[index] = part
            state.missing -= 1
            return state.missing == 0 ? state.parts : nil
        }
        if let parts { whenWhole(parts) }
    }
}
