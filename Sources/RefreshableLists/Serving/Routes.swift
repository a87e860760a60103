import KeyedLists
import WebSockets

/// The same facts over plain HTTP: the page, the lists, their rows, and a refresh that is waited for.
struct Routes: Sendable {
    let lists: ListDirectory
    let files: StaticFiles
    let pushes: PushAdmission
    let metrics: MetricsPage
    let readiness: Readiness

    /// From a loop's thread; answers now or later.
    func answer(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if readiness.drain.isOn, request.method != "GET", request.method != "HEAD" {
            return exchange.answer(request.path.hasPrefix("/lists/") ? HTTPResponse.comeBack.asProblem : .comeBack)
        }
        let path = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch path {
        case ["healthz"]: reading(request, exchange) { exchange.answer(.text(200, "ok")) }
        case ["readyz"]: reading(request, exchange) { readiness.answer(request, exchange) }
        case ["metrics"]: metrics.answer(request, exchange)
        case ["lists"]: reading(request, exchange) { answerLists(exchange) }
        case let path where path.count == 2 && path[0] == "lists":
            withList(path[1], exchange) { list in
                if request.method == "PATCH" { return push(.patch, request, to: list, exchange) }
                let allowed = list.description.acceptsPushes ? "GET, HEAD, PATCH" : "GET, HEAD"
                reading(request, exchange, allowed) { list.post { $0.answerRows(request, exchange) } }
            }
        case let path where path.count >= 4 && path[0] == "lists" && path[2] == "rows":
            withList(path[1], exchange) { list in
                pushRow(Key(path[3...].joined(separator: "/")), request, to: list, exchange)
            }
        case let path where path.count == 3 && path[0] == "lists" && path[2] == "refresh":
            withList(path[1], exchange) { answerRefresh($0, request, exchange) }
        default: exchange.answer(files.response(to: request) ?? .text(404, "There is nothing at \(request.path)."))
        }
    }

    private func reading(
        _ request: HTTPRequest, _ exchange: HTTPExchange, _ allowed: String = "GET, HEAD", _ body: () -> Void
    ) {
        if request.method == "GET" || request.method == "HEAD" { return body() }
        exchange.answer(.notAllowed(request, allowed))
    }

    /// A slash in a key is one in the path, for a path comes decoded.
    private func pushRow(_ key: Key, _ request: HTTPRequest, to list: LiveList, _ exchange: HTTPExchange) {
        switch request.method {
        case "PUT": push(.put(key), request, to: list, exchange)
        case "DELETE": push(.delete(key), request, to: list, exchange)
        default: exchange.answer(.notAllowed(request, "PUT, DELETE"))
        }
    }

    private func push(_ kind: Push.Kind, _ request: HTTPRequest, to list: LiveList, _ exchange: HTTPExchange) {
        if let refusal = pushes.refusal(of: request, to: list.description) { return exchange.answer(refusal) }
        let push = Push(kind, request)
        list.post { $0.answer(push, exchange) }
    }

    private func withList(_ name: String, _ exchange: HTTPExchange, _ body: (LiveList) -> Void) {
        if let list = lists[name] { return body(list) }
        exchange.answer(.problem(404, "There is no list \"\(name)\". GET /lists names them all."))
    }

    private func answerLists(_ exchange: HTTPExchange) {
        let lists = lists.all
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
        for (index, list) in lists.enumerated() { list.post { gathering.put($0.summary(), at: index) } }
    }

    private func answerRefresh(_ list: LiveList, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard request.method == "POST" else { return exchange.answer(.notAllowed(request, "POST")) }
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
