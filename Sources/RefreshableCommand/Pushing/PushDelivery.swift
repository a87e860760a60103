import WebSockets

/// Delivers pushes to one list, in order, each under an `Idempotency-Key`, so that trying again does nothing twice.
struct PushDelivery {
    /// What can't be put right by trying again.
    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    /// Of the list, such as `http://localhost:8080/lists/board`.
    let url: String
    let token: String?
    /// Which servers are believed.
    var trust = ServerTrust()
    /// How long a push is tried where the server is not to be reached, or says to come later.
    let patience: Duration

    /// - Throws: `Refusal` where the server refuses, or `patience` is at its end.
    func deliver(_ body: [UInt8]) async throws {
        var headers: HTTPHeaders = [
            "Content-Type": "application/json", "Idempotency-Key": String(UInt64.random(in: .min ... .max), radix: 36),
        ]
        if let token { headers["Authorization"] = "Bearer \(token)" }
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(100)
        while let failure = try await attempt(headers, body) {
            guard .now + pause < deadline else { throw Refusal(description: failure) }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(2))
        }
    }

    /// - Returns: Why it should be tried again; nil: it is done.
    private func attempt(_ headers: HTTPHeaders, _ body: [UInt8]) async throws -> String? {
        let answer: HTTPResponse
        do {
            answer = try await HTTPClient.send(
                "PATCH", url, headers: headers, body: body, trust: trust, timeout: .seconds(30))
        } catch .connectionFailed(let url, let reason) {
            return "Cannot push to \(url): \(reason)."
        }
        switch answer.status {
        case 200..<300: return nil
        case 429, 502, 503, 504: return answer.detail
        default: throw Refusal(description: answer.detail)
        }
    }
}
