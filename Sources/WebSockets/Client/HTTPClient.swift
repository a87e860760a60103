/// Asks an HTTP server one question, on a connection of its own.
public enum HTTPClient {
    /// Bytes of an answer's body that are taken.
    static let bodyLimit = 16 * 1024 * 1024

    /// GETs a `http://` or `https://` address. An answer of any status is an answer; what comes to none is an error.
    public static func get(
        _ url: String, headers: HTTPHeaders = [:], trust: ServerTrust = ServerTrust(), timeout: Duration = .seconds(5)
    ) async throws(SocketError) -> HTTPResponse {
        try await send("GET", url, headers: headers, trust: trust, timeout: timeout)
    }

    /// Sends a request to a `http://` or `https://` address and gives its answer, without header fields.
    ///
    /// - Parameters:
    ///   - method: such as `PATCH`.
    ///   - headers: more fields; `Content-Length` is added where there is a body.
    ///   - trust: which servers are believed, with `https`.
    ///   - timeout: from now to the end of the answer.
    /// - Throws: `SocketError` where there is no answer. Whether the request was read is then unknown.
    public static func send(
        _ method: String, _ url: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
        trust: ServerTrust = ServerTrust(), timeout: Duration
    ) async throws(SocketError) -> HTTPResponse {
        let parts = try ClientURL(url, scheme: "http")
        if parts.isSecure { try trust.check() }
        var settings = NetworkSettings()
        settings.trust = parts.isSecure ? (trust, parts.host) : nil
        let loop = try ServiceLoop(name: "request", settings: settings, logger: .quiet)
        loop.start()
        let result = await withCheckedContinuation { continuation in
            loop.post {
                let connection = RequestConnection(
                    loop: loop, url: parts, method: method, headers: headers, body: body
                ) { continuation.resume(returning: $0) }
                connection.start(timeout: timeout)
            }
        }
        await loop.stop()
        return try result.get()
    }
}
