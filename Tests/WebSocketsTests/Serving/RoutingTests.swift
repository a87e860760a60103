import HTTPTypes
import Testing
import WebSockets

@Suite struct RoutingTests {
    private static let routes: HTTPRoutes = {
        var routes = HTTPRoutes()
        routes.get("/") { _ in .text("root") }
        routes.get("/users") { _ in .text("all") }
        routes.get("/users/:id") { request in .text("user \(request.parameters["id"] ?? "")") }
        routes.get("/users/me") { _ in .text("me") }
        routes.get("/users/:id/posts/:post") { request in
            .text("\(request.parameters["id"] ?? "") \(request.parameters["post"] ?? "")")
        }
        routes.get("/files/*") { request in .text("rest of \(request.path)") }
        routes.post("/users") { request in .text("\(request.body.count)", .created) }
        return routes
    }()

    private static func answer(_ method: HTTPTypes.HTTPRequest.Method, _ target: String) async throws -> (Int, String) {
        let response = try await routes.respond(to: ServerRequest(method, target, body: [1, 2]))
        guard case .bytes(let bytes) = response.body else { return (response.head.status.code, "a stream") }
        return (response.head.status.code, String(decoding: bytes, as: UTF8.self))
    }

    @Test(arguments: [
        ("/", "root"), ("/users", "all"), ("/users?x=1", "all"), ("/users/7", "user 7"), ("/users/me", "me"),
        ("/users/a%2Fb", "user a/b"), ("/users/caf%C3%A9/posts/2", "café 2"), ("/files/a/b", "rest of /files/a/b"),
        ("/files", "rest of /files"),
    ]) func theClosestPatternAnswers(target: String, text: String) async throws {
        for method in [HTTPTypes.HTTPRequest.Method.get, .head] {
            let answer = try await Self.answer(method, target)
            #expect(answer == (200, text))
        }
    }

    @Test func methodsHaveRoutesOfTheirOwn() async throws {
        let answer = try await Self.answer(.post, "/users")
        #expect(answer == (201, "2"))
    }

    @Test(arguments: ["/user", "/users/", "/users/7/posts", "/users/7/posts/8/9", "//users"])
    func aPathThatNoPatternFitsIs404(target: String) async throws {
        let answer = try await Self.answer(.get, target)
        #expect(answer.0 == 404, "\(answer)")
    }

    @Test func aPathOfOtherMethodsIs405AndSaysWhich() async throws {
        let response = try await Self.routes.respond(to: ServerRequest(.delete, "/users"))
        #expect(response.head.status == .methodNotAllowed)
        #expect(response.head.headerFields[.allow] == "GET, POST, HEAD")
    }

    @Test func aPatternThatIsGivenTwiceIsReplaced() async throws {
        var routes = HTTPRoutes()
        routes.get("/a") { _ in .text("old") }
        routes.get("/a") { _ in .text("new") }
        let response = try await routes.respond(to: ServerRequest(.get, "/a"))
        guard case .bytes(let bytes) = response.body else { return }
        #expect(bytes == Array("new".utf8))
    }

    @Test(arguments: [
        (ServerSentEvent(data: "a"), "data: a\n\n"),
        (ServerSentEvent(data: ""), "data: \n\n"),
        (ServerSentEvent(data: "a\nb\r\nc\rd"), "data: a\ndata: b\ndata: c\ndata: d\n\n"),
        (
            ServerSentEvent(data: "x", event: "tick", id: "7", retry: .milliseconds(1500)),
            "event: tick\nid: 7\nretry: 1500\ndata: x\n\n"
        ),
        (
            ServerSentEvent(data: "x", event: "a\ndata: forged", id: "1\r\n\0"),
            "event: adata: forged\nid: 1\ndata: x\n\n"
        ),
    ]) func anEventIsWrittenAsBrowsersReadIt(event: ServerSentEvent, text: String) {
        #expect(String(decoding: event.bytes, as: UTF8.self) == text)
    }
}
