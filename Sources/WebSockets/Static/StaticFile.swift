/// One file in its representations: as it is, and by gzip where that is smaller.
struct StaticFile: Sendable {
    private struct Representation {
        var bytes: [UInt8]
        /// Strong, so it differs between the two (RFC 9110 §8.8.3).
        var tag: String
    }

    private let contentType: String
    private let plain: Representation
    private let compressed: Representation?

    init(name: String, bytes: [UInt8]) {
        contentType = ContentType.of(name)
        let tag = EntityTag.of(bytes)
        plain = Representation(bytes: bytes, tag: "\"\(tag)\"")
        compressed = Gzip.compressed(bytes).map { Representation(bytes: $0, tag: "\"\(tag)-gzip\"") }
    }

    func response(to headers: HTTPHeaders) -> HTTPResponse {
        let isCompressed = compressed != nil && Self.acceptsGzip(headers)
        let chosen = isCompressed ? compressed ?? plain : plain
        var response = HTTPResponse(status: 200, headers: Self.policy)
        response.headers["ETag"] = chosen.tag
        if compressed != nil { response.headers["Vary"] = "Accept-Encoding" }
        guard !EntityTag.matches(chosen.tag, headers["If-None-Match"]) else {
            response.status = 304
            return response
        }
        response.headers["Content-Type"] = contentType
        if isCompressed { response.headers["Content-Encoding"] = "gzip" }
        response.body = chosen.bytes
        response.isShared = true
        return response
    }

    /// Scripts and styles from here alone; pictures from anywhere, as rows name them; no frame on another site.
    private static let policy: HTTPHeaders = [
        "Cache-Control": "no-cache",
        "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' https: http: data:; connect-src 'self' ws: wss:; object-src 'none'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
    ]

    /// RFC 9110 §12.5.3, for `gzip` alone: named, or covered by `*`, and not with a weight of 0.
    private static func acceptsGzip(_ headers: HTTPHeaders) -> Bool {
        var isWildAccepted = false
        for member in headers.list("Accept-Encoding") {
            let parts = member.split(separator: ";").map { $0.trimmingSpace() }
            guard let coding = parts.first else { continue }
            let isRefused = parts.dropFirst().contains {
                $0.hasPrefix("q=0") && !$0.contains { "123456789".contains($0) }
            }
            if coding.equalsIgnoringCase("gzip") { return !isRefused }
            if coding == "*" { isWildAccepted = !isRefused }
        }
        return isWildAccepted
    }
}
