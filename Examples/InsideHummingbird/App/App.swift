import Hummingbird
import NIOCore
import RefreshableLists

/// A shop whose orders are a list that its staff pull down to refresh, on the port and behind the login of the shop itself:
///
///     /            who you are, and a form to sign in
///     /live/…      the lists: page, WebSocket and HTTP, for who has signed in
@main struct App {
    static func main() async throws {
        let logins = Logins()
        let orders = RefreshableList("orders").refreshable { try await Shop.orders() }
        var configuration = RefreshableServer.Configuration()
        configuration.port = nil
        configuration.mountPath = "/live"
        let lists = RefreshableServer(configuration: configuration) { orders }

        let router = Router(context: ShopContext.self)
        router.add(middleware: ListsMiddleware(lists: lists, logins: logins))
        router.get("/") { request, _ in Page.home(of: logins.user(of: request.headers)) }
        router.post("login") { request, context in try await logins.signIn(request, context) }

        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        let app = Application(
            router: router, server: .http1(withSocketsOf: lists, logins),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            // Runs it, and ends it after the port: so its sessions end with their connections.
            services: [lists],
            onServerRunning: { channel in print("http://127.0.0.1:\(channel.localAddress?.port ?? port)") })
        try await app.runService()
    }
}

/// What handlers know of a request: also whose it is.
struct ShopContext: RequestContext, RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}

/// Passes what is below `/live` to the lists, and everything else on.
struct ListsMiddleware: RouterMiddleware {
    let lists: RefreshableServer
    let logins: Logins

    func handle(
        _ request: Request, context: ShopContext, next: (Request, ShopContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.path.hasPrefix("/live") else { return try await next(request, context) }
        guard let user = logins.user(of: request.headers) else { throw HTTPError(.unauthorized) }
        let address = context.remoteAddress?.ipAddress ?? ""
        let answer = try await lists.respond(to: request.head, from: address, as: user) { limit in
            Array(buffer: try await request.body.collect(upTo: limit))
        }
        // Nil: nothing is there.
        guard let answer else { return try await next(request, context) }
        var body = ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        // Its length is in the fields already.
        if request.method == .head { body = ResponseBody() }
        return Response(status: answer.head.status, headers: answer.head.headerFields, body: body)
    }
}

enum Shop {
    /// Where yours asks its database.
    static func orders() async throws -> [ListRow] {
        [ListRow("1001", title: "Two teas"), ListRow("1002", title: "A cake", subtitle: "with cream")]
    }
}

enum Page {
    static func home(of user: AccessIdentity?) -> Response {
        let form = "<input name=name> <input name=password type=password> <button>Sign in</button>"
        let html =
            user.map { "<p>You are \($0.name). <a href='live/'>The lists</a></p>" }
            ?? "<form method=post action=login>\(form)</form>"
        return Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "<!doctype html><title>Shop</title>\(html)")))
    }
}
