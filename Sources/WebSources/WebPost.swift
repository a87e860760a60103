import ListSources

/// Bytes that are posted to a web server, for those to whom its answer is no source of rows: on the same thread, with the
/// same checks of certificates. Redirects are answers as any other.
package struct WebPost: Sendable {
    private let request: WebRequest
    private let body: [UInt8]
    private let limits: WebLimits

    /// - Parameters:
    ///   - url: of http or https.
    ///   - timeout: for the whole answer, of which no more than 64 KiB are read.
    package init(_ url: String, headers: [String: String], body: [UInt8], timeout: Duration) {
        request = WebRequest(url, method: "POST", headers: headers)
        self.body = body
        limits = WebLimits(timeout: timeout, size: 64 * 1024)
    }

    /// Sends it, and waits for the answer.
    ///
    /// - Returns: The status, and how long the server asks to be left alone (`Retry-After`), if it does.
    /// - Throws: `SourceError` where no answer comes, `CancellationError` if the task is cancelled.
    package func send() async throws -> (status: Int, retryAfter: Duration?) {
        let answer = try await WebTransfer(request, url: request.url, body: body, followsRedirects: false, limits)
            .answer()
        let wait = answer.headers["retry-after"].flatMap {
            WebResponse.wait($0, now: WallClock.milliseconds())
        }
        return (answer.status, wait)
    }
}
