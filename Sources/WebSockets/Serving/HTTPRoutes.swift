public import HTTPTypes

/// What a server answers to HTTP requests beside its WebSockets: by method and path.
///
/// ```swift
/// var routes = HTTPRoutes()
/// routes.get("/users/:id") { request in .text("user \(request.parameters["id"] ?? "")") }
/// routes.post("/messages", bodyLimit: 64 * 1024) { request in .text("\(request.body.count) bytes", .created) }
/// try routes.files(in: "Public")
/// ```
/// A pattern is made of segments: `:name` stands for any one of them that is not empty, `*` at the end for all that follow, or
/// none. A segment that is said wins over `:name`, and that over `*`. GET answers HEAD, too. A path with other methods alone is a
/// 405, and without any a file, or else a 404.
public struct HTTPRoutes: Sendable {
    /// Answers a request; each runs in a task of its own, which is cancelled if whoever asked leaves.
    public typealias Handler = @Sendable (_ request: ServerRequest) async throws -> ServerResponse

    private struct Route: Sendable {
        var segments: [Segment]
        var bodyLimit: Int
        var handler: Handler
    }

    private enum Segment: Hashable {
        case literal(String)
        case parameter(String)
        case rest

        var rank: Int {
            switch self {
            case .literal: 0
            case .parameter: 1
            case .rest: 2
            }
        }
    }

    private var routes: [String: [Route]] = [:]
    private var folder: StaticFiles?

    /// No routes: every request is a 404.
    public init() {}

    /// Answers GET and HEAD.
    public mutating func get(_ pattern: String, _ handler: @escaping Handler) {
        on(.get, pattern, bodyLimit: 0, handler)
    }

    /// Answers POST. `bodyLimit` is in bytes; a larger body is a 413, and no body is larger than the configuration's `bodyLimit`.
    public mutating func post(_ pattern: String, bodyLimit: Int = .max, _ handler: @escaping Handler) {
        on(.post, pattern, bodyLimit: bodyLimit, handler)
    }

    /// Answers PUT. As `post`.
    public mutating func put(_ pattern: String, bodyLimit: Int = .max, _ handler: @escaping Handler) {
        on(.put, pattern, bodyLimit: bodyLimit, handler)
    }

    /// Answers PATCH. As `post`.
    public mutating func patch(_ pattern: String, bodyLimit: Int = .max, _ handler: @escaping Handler) {
        on(.patch, pattern, bodyLimit: bodyLimit, handler)
    }

    /// Answers DELETE. As `post`.
    public mutating func delete(_ pattern: String, bodyLimit: Int = .max, _ handler: @escaping Handler) {
        on(.delete, pattern, bodyLimit: bodyLimit, handler)
    }

    /// Answers a method. A pattern that is there already is replaced.
    public mutating func on(
        _ method: HTTPTypes.HTTPRequest.Method, _ pattern: String, bodyLimit: Int = .max, _ handler: @escaping Handler
    ) {
        let segments = Self.segments(of: pattern)
        var others = routes[method.rawValue] ?? []
        others.removeAll { $0.segments == segments }
        others.append(Route(segments: segments, bodyLimit: bodyLimit, handler: handler))
        routes[method.rawValue] = others
    }

    /// Serves the files of a folder, as they are now, where no route fits; `/` and `…/` are `index.html`. They are kept in memory,
    /// compressed once, and revalidated by their ETag. Names that begin with a dot are left out.
    ///
    /// - Throws: `SocketError` where the folder can't be read.
    public mutating func files(in folder: String) throws(SocketError) {
        self.folder = try StaticFiles(folder: folder, policy: ["X-Content-Type-Options": "nosniff"])
    }

    /// The answer to a request, as the server gives it: for tests.
    ///
    /// - Throws: what the route throws; the server answers 500 then.
    public func respond(to request: ServerRequest) async throws -> ServerResponse {
        switch match(request.head.method.rawValue, path: request.rawPath) {
        case .route(let route, let parameters):
            var request = request
            request.parameters = parameters
            return try await route.handler(request)
        case .otherMethods(let methods): return .otherMethods(methods)
        case .none: return .text("Nothing is here.\n", .notFound)
        }
    }
}

extension HTTPRoutes {
    private enum Match {
        case route(Route, [String: String])
        case otherMethods([String])
        case none
    }

    /// A file, where no route fits.
    func file(for request: HTTPRequest) -> HTTPResponse? {
        guard case .none = match(request.method, path: request.rawPath) else { return nil }
        return folder?.response(to: request)
    }

    /// What becomes of a request's body.
    func bodyPlan(for request: HTTPRequest) -> BodyPlan {
        guard case .route(let route, _) = match(request.method, path: request.rawPath), route.bodyLimit > 0 else {
            return .discard
        }
        return .keep(limit: route.bodyLimit)
    }

    private func match(_ method: String, path: String) -> Match {
        let segments = Self.decoded(path)
        if let found = best(method == "HEAD" ? "GET" : method, segments) {
            return .route(found.route, found.parameters)
        }
        let others = routes.keys.filter { best($0, segments) != nil }
        return others.isEmpty ? .none : .otherMethods(others.sorted())
    }

    private func best(_ method: String, _ path: [String]) -> (route: Route, parameters: [String: String])? {
        var best: (route: Route, parameters: [String: String])?
        for route in routes[method] ?? [] {
            guard let parameters = Self.parameters(route.segments, path) else { continue }
            if let other = best, !Self.isCloser(route.segments, than: other.route.segments) { continue }
            best = (route, parameters)
        }
        return best
    }

    /// What a pattern's parameters stand for; nil: it does not fit.
    private static func parameters(_ pattern: [Segment], _ path: [String]) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (index, segment) in pattern.enumerated() {
            if case .rest = segment { return parameters }
            guard index < path.count else { return nil }
            switch segment {
            case .literal(let text): if text != path[index] { return nil }
            case .parameter(let name):
                guard !path[index].isEmpty else { return nil }
                parameters[name] = path[index]
            case .rest: break
            }
        }
        return pattern.count == path.count ? parameters : nil
    }

    /// Whether a pattern says more, at the first place where two that fit differ in kind.
    private static func isCloser(_ one: [Segment], than other: [Segment]) -> Bool {
        for (left, right) in zip(one, other) where left.rank != right.rank { return left.rank < right.rank }
        return one.count > other.count
    }

    private static func segments(of pattern: String) -> [Segment] {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return parts.enumerated().map { index, part in
            if part == "*", index == parts.count - 1 { return .rest }
            return part.first == ":" ? .parameter(String(part.dropFirst())) : .literal(String(part))
        }
    }

    private static func decoded(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map {
            PercentEncoding.decoded($0)
        }
    }
}

extension ServerRequest {
    /// The path as it came, percent-encoded.
    var rawPath: String { head.path.map { String($0.prefix { $0 != "?" }) } ?? "/" }
}

extension ServerResponse {
    fileprivate static func otherMethods(_ methods: [String]) -> ServerResponse {
        let all = methods + (methods.contains("GET") ? ["HEAD"] : [])
        var response = ServerResponse.text(
            "This path answers \(all.joined(separator: ", ")) alone.\n", .methodNotAllowed)
        response.head.headerFields[.allow] = all.joined(separator: ", ")
        return response
    }
}
