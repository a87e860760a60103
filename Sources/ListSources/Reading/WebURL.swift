import Foundation

/// A URL of the web, as much of it as errors and pages need.
package struct WebURL: Hashable, Sendable {
    let url: URL

    /// Nil unless it is http or https and names a host.
    package init?(_ text: String, relativeTo base: WebURL? = nil) {
        guard let url = URL(string: text, relativeTo: base?.url)?.absoluteURL else { return nil }
        self.init(url)
    }

    init?(_ url: URL) {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? ""), !(url.host ?? "").isEmpty else { return nil }
        self.url = url
    }

    package var text: String { url.absoluteString }

    /// For messages: neither path nor query, which may hold secrets.
    package var host: String { url.host ?? "" }

    /// For the log: without query and password.
    package var plain: String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return host }
        parts.query = nil
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        return parts.string ?? host
    }

    /// Whether both are of one server: scheme, host and port (RFC 6454).
    package func hasOrigin(of other: WebURL) -> Bool {
        url.scheme?.lowercased() == other.url.scheme?.lowercased() && host.lowercased() == other.host.lowercased()
            && port == other.port
    }

    /// With a parameter of the query set to a value, in the place of one of that name.
    package func setting(_ parameter: String, to value: String) -> WebURL? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        var items = (parts.queryItems ?? []).filter { $0.name != parameter }
        items.append(URLQueryItem(name: parameter, value: value))
        parts.queryItems = items
        // A plus in a query is read as a blank by many servers.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%2B")
        return parts.url.flatMap(WebURL.init)
    }

    /// The value of a parameter of the query.
    package func value(of parameter: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == parameter }?.value
    }

    private var port: Int { url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80) }
}
