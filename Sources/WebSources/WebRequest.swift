import Foundation
import ListSources

/// A request to a web server.
public struct WebRequest: Hashable, Sendable {
    /// `http` or `https`.
    public var url: String
    /// Default: `GET`.
    public var method: String
    /// Names and values. They go to the server of the URL alone: not to another that it redirects to.
    public var headers: [String: String]
    /// What is sent with it; nil: nothing.
    public var body: String?

    /// A request for a URL, by default with `GET`.
    public init(_ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }
}

/// The response of a web server.
struct WebResponse: Sendable {
    let status: Int
    /// By names in small letters.
    let headers: [String: String]
    let body: [UInt8]
    /// Where it came from, after redirects.
    let url: WebURL

    /// - Throws: `SourceError` unless it is what was asked for.
    func check(isConditional: Bool) throws(SourceError) {
        if status == 200 || status == 304 && isConditional { return }
        let wait = headers["retry-after"].flatMap { Self.wait($0, now: WallClock.milliseconds()) }
        throw SourceError(message: "\(url.host) \(complaint) (status \(status)).", detail: detail, retryAfter: wait)
            .coded("badStatus", url.host, "\(status)")
    }

    /// The encoding that the header `Content-Type` declares; nil if it declares none, or an unknown one.
    var encoding: TextEncoding? {
        let parameters = (headers["content-type"] ?? "").split(separator: ";").dropFirst()
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1).map {
                $0.filter { !$0.isWhitespace && $0 != "\"" }
            }
            if parts.count == 2, parts[0].lowercased() == "charset" { return TextEncoding(label: parts[1]) }
        }
        return nil
    }

    private var complaint: String {
        switch status {
        case 401, 403, 407: "refuses the request"
        case 404, 410: "has nothing there"
        case 429: "asks to be left alone for a while"
        case 400..<500: "does not understand the request"
        case 503: "is busy"
        case 500...: "has a fault"
        default: "did not answer with rows"
        }
    }

    private var detail: String {
        let text = String(decoding: body.prefix(300), as: UTF8.self).split(whereSeparator: \.isNewline)
        return "The URL was \(url.plain)." + (text.isEmpty ? "" : " It said: \(text.joined(separator: " "))")
    }

    /// RFC 9110 §10.2.3: seconds, or a date. At most a day: a server that errs must not silence a list for years.
    static func wait(_ text: String, now: Int64) -> Duration? {
        let seconds: Int64? =
            if let seconds = Int64(text) { seconds } else {
                Timestamp.milliseconds(text).map { ($0 - now + 999) / 1000 }
            }
        return seconds.map { .seconds(min(max($0, 0), 86_400)) }
    }
}
