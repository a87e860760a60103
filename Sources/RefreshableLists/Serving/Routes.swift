import KeyedLists
import Locking
import WebSockets

/// The same facts over plain HTTP: the page, the lists, their rows, and a refresh that is waited for.
struct Routes: Sendable {
    let lists: ListDirectory
    let files: StaticFiles
    let pushes: PushAdmission
    let metrics: MetricsPage
    let readiness: Readiness
    let authenticator: Authenticator
    let signIn: SignIn
    /// Nil where nobody is notified.
    let notifier: Notifier?
    /// Keeps the time for answers that do not wait for ever.
    let timer: ListExecutor
    /// Who asks, where another server knows that; nil: whom the request shows.
    var known: Visitor?

    /// How long the directory waits for lists that are read for the first time, in milliseconds.
    private static let patience: Int64 = 100

    /// Why a request is not done.
    struct Refused: Error {
        let response: HTTPResponse

        init(_ response: HTTPResponse) { self.response = response }
    }

    /// Bytes of the largest push.
    private static let pushLimit = 1024 * 1024

    /// How to handle a request's body, by its head: a push without the right is rejected before its body is read.
    func bodyPlan(for request: HTTPRequest) -> BodyPlan {
        do throws(Refused) {
            try refuseChangesWhileDraining(request)
            if known == nil, request.path == "/sign-in" { return .keep(limit: SignIn.formLimit) }
            switch (Endpoint(request), request.method) {
            case (.list(let name), "PATCH"), (.row(list: let name, _), "PUT"):
                let visitor = try visitor(request)
                try checkPush(request, visitor, to: try list(name, visitor))
                do throws(IdempotencyKey.TooLong) { _ = try IdempotencyKey(request) } catch {
                    throw Refused(error.response)
                }
                return .keep(limit: Self.pushLimit)
            case (.subscription(let name, _, _), "PUT"):
                _ = try notifyingList(name, request)
                return .keep(limit: NotificationRequest.bodyLimit)
            default: return .discard
            }
        } catch {
            return .refuse(error.response)
        }
    }

    /// From a loop's thread; answers now or later.
    func answer(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        do throws(Refused) {
            try refuseChangesWhileDraining(request)
            if known == nil, let response = signIn.response(to: request) { return exchange.answer(response) }
            switch Endpoint(request) {
            case .healthz:
                try check(request, allows: "GET, HEAD")
                exchange.answer(.text(200, "ok"))
            case .readyz:
                try check(request, allows: "GET, HEAD")
                readiness.answer(request, exchange)
            case .metrics:
                let visitor = try visitor(request)
                try checkMetrics(visitor)
                metrics.answer(request, by: visitor, exchange)
            case .lists:
                let visitor = try visitor(request)
                try check(request, allows: "GET, HEAD")
                try answerLists(for: visitor, exchange)
            case .list(let name): try answerList(name, request, exchange)
            case .refresh(let name): try answerRefresh(name, request, exchange)
            case .row(list: let name, let key): try answerRow(key, of: name, request, exchange)
            case .notifications(let id): try answerNotifications(id, request, exchange)
            case .subscription(let name, let id, let isSeen):
                try answerSubscription(to: name, id, isSeen: isSeen, request, exchange)
            case .ambiguousRow: throw Refused(.problem(400, Self.ambiguous))
            case .other:
                exchange.answer(files.response(to: request) ?? .text(404, "There is nothing at \(request.path)."))
            }
        } catch {
            exchange.answer(error.response)
        }
    }

    private static let ambiguous =
        "A key with . or .. between slashes can't be told from a path that leads elsewhere. Send its slashes as %2F, or name "
        + "the row in a PATCH of the list."
}

// MARK: Who may

extension Routes {
    private func refuseChangesWhileDraining(_ request: HTTPRequest) throws(Refused) {
        guard readiness.drain.isOn, request.method != "GET", request.method != "HEAD" else { return }
        throw Refused(request.path.hasPrefix("/lists/") ? HTTPResponse.comeBack.asProblem : .comeBack)
    }

    func check(_ request: HTTPRequest, allows methods: String) throws(Refused) {
        guard methods.split(separator: ", ").contains(Substring(request.method)) else {
            throw Refused(.notAllowed(request, methods))
        }
    }

    func visitor(_ request: HTTPRequest) throws(Refused) -> Visitor {
        if let known {
            guard let reason = authenticator.validity(of: known).reason else { return known }
            throw Refused(.unauthorised(reason, error: "invalid_token"))
        }
        let answer = authenticator.admit(request)
        if case .visitor(let visitor) = answer { return visitor }
        throw Refused(.refusal(answer) ?? .text(401, Authenticator.wrong))
    }

    func list(_ name: String, _ visitor: Visitor) throws(Refused) -> LiveList {
        if let list = lists[name, for: visitor] { return list }
        if visitor.isStranger { authenticator.count(.anonymous) }
        throw Refused(.unknown(name, visitor))
    }

    /// Rejects a request that another token could allow, and counts it.
    func turnAway(_ visitor: Visitor, _ response: HTTPResponse) -> Refused {
        authenticator.count(visitor)
        return Refused(response)
    }

    func check(_ visitor: Visitor, may right: AccessRight, _ list: LiveList) throws(Refused) {
        guard visitor.may(right, list.name) else {
            throw turnAway(visitor, .forbidden(right, list.name, visitor))
        }
    }

    /// Metrics contain names of lists: with tokens, they need the right to read every list.
    private func checkMetrics(_ visitor: Visitor) throws(Refused) {
        guard visitor.kind == .anybody || visitor.rights.readsAll else {
            let text = "Metrics need a token that may read all lists."
            throw turnAway(visitor, .unauthorised(text))
        }
    }

    private func checkPush(_ request: HTTPRequest, _ visitor: Visitor, to list: LiveList) throws(Refused) {
        let address = request.remoteAddress
        if let (shown, isRight) = pushes.shown(by: visitor, request),
            let wait = authenticator.wait(forPush: shown, isRight: isRight, from: address)
        {
            authenticator.note(.guesses, from: address)
            throw Refused(.refusal(.tooManyGuesses(wait: wait)) ?? .text(429, Authenticator.tooMany(wait)))
        }
        guard let (reason, refusal) = pushes.refusal(of: request, to: list.description, by: visitor) else { return }
        switch reason {
        case .token: authenticator.note(.token, from: address)
        case let reason?: authenticator.count(reason)
        case nil: break
        }
        throw Refused(refusal)
    }
}

// MARK: Lists

extension Routes {
    private func answerList(_ name: String, _ request: HTTPRequest, _ exchange: HTTPExchange) throws(Refused) {
        let visitor = try visitor(request)
        let list = try list(name, visitor)
        if request.method == "PATCH" { return try push(.patch, request, visitor, to: list, exchange) }
        try check(request, allows: list.description.acceptsPushes ? "GET, HEAD, PATCH" : "GET, HEAD")
        try check(visitor, may: .read, list)
        let window: WindowRequest?
        do { window = try WindowRequest(request) } catch {
            throw Refused(.problem(400, error.detail))
        }
        list.post { $0.answerRows(request, window: window, exchange) }
    }

    private func answerRow(
        _ key: Key, of name: String, _ request: HTTPRequest, _ exchange: HTTPExchange
    ) throws(Refused) {
        let visitor = try visitor(request)
        let list = try list(name, visitor)
        try check(request, allows: "PUT, DELETE")
        try push(request.method == "PUT" ? .put(key) : .delete(key), request, visitor, to: list, exchange)
    }

    private func push(
        _ kind: Push.Kind, _ request: HTTPRequest, _ visitor: Visitor, to list: LiveList, _ exchange: HTTPExchange
    ) throws(Refused) {
        try checkPush(request, visitor, to: list)
        let push: Push
        do throws(IdempotencyKey.TooLong) { push = try Push(kind, request) } catch { throw Refused(error.response) }
        list.post { $0.answer(push, exchange) }
    }

    private func answerRefresh(_ name: String, _ request: HTTPRequest, _ exchange: HTTPExchange) throws(Refused) {
        let visitor = try visitor(request)
        let list = try list(name, visitor)
        try check(request, allows: "POST")
        try check(visitor, may: .refresh, list)
        guard list.isRefreshable else {
            throw Refused(.problem(409, "The list \"\(list.name)\" has nothing to refresh it."))
        }
        let key: IdempotencyKey?
        do throws(IdempotencyKey.TooLong) { key = try IdempotencyKey(request) } catch { throw Refused(error.response) }
        list.post { $0.answerRefresh(key: key, exchange) }
    }

    private func answerLists(for visitor: Visitor, _ exchange: HTTPExchange) throws(Refused) {
        guard !visitor.isNobody else {
            throw turnAway(visitor, .unauthorised("Show a token to see this server's lists."))
        }
        let lists = lists.all.filter { visitor.may(.read, $0.name) }
        // Those that were read have published what they are: none is waited for because it is busy.
        let unread = lists.filter { $0.statistics.contents == nil }
        let reading = Countdown(from: unread.count) {
            exchange.answer(.json(200, Self.directory(of: lists, for: visitor)))
        }
        guard !unread.isEmpty else { return }
        for list in unread {
            list.post {
                $0.readHead()
                reading.count()
            }
        }
        timer.schedule(at: timer.clock.now.uptime + Self.patience) { reading.end() }
    }

    /// A list that can't be read, or not yet, has no more than a name and a title.
    private static func directory(of lists: [LiveList], for visitor: Visitor) -> [UInt8] {
        let parts = lists.map { $0.summary(mayRefresh: visitor.may(.refresh, $0.name)) }
        // Whoever does not take it has it kept: no more than it has bytes.
        var json = JSONWriter(reserving: parts.reduce(16) { $0 + $1.count + 1 })
        json.beginObject()
        json.name("lists")
        json.beginArray()
        for part in parts { json.raw(part) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

/// Does something once, after so many others were done or when it is told to.
private final class Countdown: Sendable {
    private let missing: Locked<Int>
    private let whenOver: @Sendable () -> Void

    init(from count: Int, whenOver: @escaping @Sendable () -> Void) {
        missing = Locked(count)
        self.whenOver = whenOver
        if count == 0 { whenOver() }
    }

    func count() { take { $0 - 1 } }
    func end() { take { _ in 0 } }

    private func take(_ rest: (Int) -> Int) {
        let isOver = missing.withLock { missing in
            guard missing > 0 else { return false }
            missing = rest(missing)
            return missing == 0
        }
        if isOver { whenOver() }
    }
}

/// Maps the path of a request to an endpoint. A pure rule.
///
/// A path is split first and each segment decoded then, so that a slash in a key, sent as `%2F`, parts nothing.
enum Endpoint: Equatable {
    case healthz
    case readyz
    case metrics
    case lists
    case list(String)
    case refresh(String)
    case row(list: String, Key)
    /// By which browsers subscribe, or what one has subscribed to.
    case notifications(String?)
    /// What a browser wants to be told of a list, or that it shows the list now.
    case subscription(list: String, String, isSeen: Bool)
    /// `.` or `..` stands where a key does: clients and proxies would resolve it, so who names it may mean another row.
    case ambiguousRow
    /// A file, or nothing.
    case other

    init(_ request: HTTPRequest) {
        let segments = request.segments
        switch segments.count {
        case 1:
            self =
                [
                    "healthz": .healthz, "readyz": .readyz, "metrics": .metrics, "lists": .lists,
                    "notifications": .notifications(nil),
                ][segments[0]] ?? .other
        case 2 where segments[0] == "notifications" && NotificationRequest.isID(segments[1]):
            self = .notifications(segments[1])
        case 2 where segments[0] == "lists": self = .list(segments[1])
        case 3 where segments[0] == "lists" && segments[2] == "refresh": self = .refresh(segments[1])
        case 4...5
        where segments[0] == "lists" && segments[2] == "notifications" && NotificationRequest.isID(segments[3])
            && segments.dropFirst(4).allSatisfy { $0 == "seen" }:
            self = .subscription(list: segments[1], segments[3], isSeen: segments.count == 5)
        case 4... where segments[0] == "lists" && segments[2] == "rows":
            let key = segments[3...]
            self =
                key.contains { $0 == "." || $0 == ".." }
                ? .ambiguousRow : .row(list: segments[1], Key(key.joined(separator: "/")))
        default: self = .other
        }
    }
}

/// Errors for programs: RFC 9457.
extension HTTPResponse {
    /// An error that needs no type of its own, beyond its status.
    ///
    /// - Parameters:
    ///   - detail: a sentence on what was wrong with this request, and what to do.
    ///   - more: writes further members.
    static func problem(
        _ status: Int, _ detail: String, more: (inout JSONWriter) -> Void = { _ in }
    ) -> HTTPResponse {
        var json = JSONWriter()
        json.beginObject()
        // RFC 9457 §4.2.1: such a problem has the status phrase as its title.
        json.member("type", "about:blank")
        json.member("title", HTTPResponse.reason(of: status))
        json.member("status", status)
        json.member("detail", detail)
        more(&json)
        json.endObject()
        var response = HTTPResponse.json(status, json.bytes)
        response.headers["Content-Type"] = "application/problem+json"
        return response
    }

    /// The method is none of those that there are.
    static func notAllowed(_ request: HTTPRequest, _ allowed: String) -> HTTPResponse {
        var response = problem(405, "\(request.method) is not possible here. Use \(allowed).")
        response.headers["Allow"] = allowed
        return response
    }

    /// The same refusal for a program, where it was written for a person.
    var asProblem: HTTPResponse {
        var response = HTTPResponse.problem(status, String(decoding: body.prefix { $0 != 0x0A }, as: UTF8.self))
        for field in headers.fields where !["content-type", "cache-control"].contains(field.name.lowercased()) {
            response.headers.add(field.name, field.value)
        }
        return response
    }
}
