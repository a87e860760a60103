/// What is asked of a web server.
public struct WebRequest: Hashable, Sendable {
    /// `http` or `https`.
    public var url: String
    /// `GET`, unless said otherwise.
    public var method: String
    /// Names and values. They go to the server of the URL alone: not to another that it redirects to.
    public var headers: [String: String]
    /// What is sent with it; nil: nothing.
    public var body: String?

    /// A request, of a URL that is asked for with `GET` unless said otherwise.
    public init(_ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }
}
