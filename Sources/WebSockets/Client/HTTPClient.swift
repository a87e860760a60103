/// Asks an HTTP server one question: for health checks. Plain HTTP only.
public enum HTTPClient {
    /// Bytes of an answer's body that are taken.
    static let bodyLimit = 16 * 1024 * 1024

    /// GETs a `http://` address. An answer of any status is an answer; what comes to none is an error.
    public static func get(_ url: String, timeout: Duration = .seconds(5)) async throws(SocketError) -> HTTPResponse {
        let parts = try ClientURL(url, scheme: "http")
        let loop = try ServiceLoop(name: "get")
        loop.start()
        let result = await withCheckedContinuation { continuation in
            loop.post {
                GetConnection(loop: loop, url: parts) { continuation.resume(returning: $0) }.start(timeout: timeout)
            }
        }
        await loop.stop()
        return try result.get()
    }
}
