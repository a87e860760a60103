import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its answer, by URLSession: counted, limited, and cancelled with its task.
///
/// Nothing is shared between exchanges: no cookie, no cache, no credential.
final class WebExchange: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var answered: CheckedContinuation<WebAnswer, any Error>?
        var result: Result<WebAnswer, any Error>?
        var head: (status: Int, headers: [String: String], url: WebURL)?
        var body: [UInt8] = []
        var redirects = 0
    }

    /// As many as browsers follow at least: the Fetch standard has 20.
    private static let mostRedirects = 10

    private let request: URLRequest
    private let url: WebURL
    private let limits: WebLimits
    private let names: [String]
    private let state = Locked(State())

    /// - Throws: `SourceError` if the URL is none, or its host is private where that is refused.
    init(_ request: WebRequest, url text: String, conditions: [String: String], _ limits: WebLimits) throws(SourceError)
    {
        guard let url = WebURL(text) else {
            throw SourceError(message: "The URL can't be asked: it is no http or https URL.")
        }
        self.url = url
        self.limits = limits
        names = Array(request.headers.keys)
        var sent = URLRequest(url: url.url)
        sent.httpMethod = request.method
        sent.httpBody = request.body.map { Data($0.utf8) }
        sent.setValue("refreshable", forHTTPHeaderField: "User-Agent")
        for (name, value) in request.headers.merging(conditions, uniquingKeysWith: { own, _ in own }) {
            sent.setValue(value, forHTTPHeaderField: name)
        }
        self.request = sent
    }

    /// Asks, and waits for the whole answer.
    func answer() async throws -> WebAnswer {
        try check(url)
        let session = URLSession(configuration: Self.configuration, delegate: self, delegateQueue: Self.deliveries())
        let task = session.dataTask(with: request)
        defer { Self.end(task, of: session) }
        let alarm = Task {
            try await Task.sleep(for: limits.timeout)
            end(.failure(WebProblem.timeout(url, limits.timeout)))
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(continuation)
                task.resume()
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return configuration
    }

    /// Foundation of Apple's systems holds its senders up by itself.
    private static func deliveries() -> OperationQueue? {
        #if canImport(FoundationNetworking)
            DeliveryQueue()
        #else
            nil
        #endif
    }

    /// Not by `invalidateAndCancel`, which on Linux looks at the session's tasks while another thread may be changing them.
    /// From elsewhere, as it waits for the thread that reads; on a queue of its own, as a global one gets no thread while
    /// others keep every processor busy.
    private static func end(_ task: URLSessionTask, of session: URLSession) {
        DispatchQueue(label: "refreshable.web.end").async {
            task.cancel()
            session.finishTasksAndInvalidate()
        }
    }

    private func check(_ url: WebURL) throws(SourceError) {
        guard !limits.allowsPrivateAddresses else { return }
        if NetworkAddress.of(url.host).contains(where: \.isPrivate) { throw WebProblem.privateAddress(url) }
    }

    private func begin(_ continuation: CheckedContinuation<WebAnswer, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.answered = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    /// The first end counts.
    private func end(_ result: Result<WebAnswer, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<WebAnswer, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.answered = nil }
            return state.answered
        }
        continuation?.resume(with: result)
    }
}

extension WebExchange {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        do {
            let next = try redirected(to: request)
            // Linux traps where a redirect is answered after its task was cancelled. With the lock held the answer, which
            // is no more than put into a queue, comes before; of an exchange that is over none is needed.
            state.withLock { if $0.result == nil { completionHandler(next) } }
        } catch {
            end(.failure(error))
        }
    }

    private func redirected(to request: URLRequest) throws(SourceError) -> URLRequest {
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        guard count <= Self.mostRedirects else { throw WebProblem.redirects(url) }
        guard let target = request.url.flatMap({ WebURL($0) }) else { throw WebProblem.redirects(url) }
        try check(target)
        guard !target.hasOrigin(of: url) else { return request }
        var request = request
        for name in names { request.setValue(nil, forHTTPHeaderField: name) }
        return request
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            var headers: [String: String] = [:]
            for (name, value) in response.allHeaderFields {
                headers["\(name)".lowercased()] = "\(value)"
            }
            let url = response.url.flatMap { WebURL($0) } ?? url
            state.withLock { $0.head = (response.statusCode, headers, url) }
            // Told beforehand, it costs nothing: what is on its way when a task is cancelled still arrives.
            if let length = headers["content-length"].flatMap({ Int($0) }), length > limits.size {
                end(.failure(WebProblem.tooLarge(url, limits.size)))
            }
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withLock { state in
            guard state.result == nil, state.body.count + data.count <= limits.size else { return true }
            state.body.append(contentsOf: data)
            return false
        }
        // What still comes is let go of: the cancelling is heard once nothing is there to be read for a moment.
        if isTooLarge { end(.failure(WebProblem.tooLarge(url, limits.size))) }
    }

    /// A server that wants a password gets none but that of the headers: 401 is its answer.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let passwords = [
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
        ]
        guard passwords.contains(challenge.protectionSpace.authenticationMethod) else {
            return completionHandler(.performDefaultHandling, nil)
        }
        // Linux asks once the answer has come, and takes a refusal for a cancelled task.
        if state.withLock({ $0.head != nil }) { endWithAnswer() }
        completionHandler(.rejectProtectionSpace, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            return end(.failure(WebProblem.explain(error, url, hasBegun: state.withLock { $0.head != nil })))
        }
        endWithAnswer()
    }

    private func endWithAnswer() {
        let (head, body) = state.withLock { ($0.head, $0.body) }
        guard let head else { return end(.failure(WebProblem.cutShort(url))) }
        if head.headers["content-encoding"] == nil, request.httpMethod != "HEAD", head.status != 304,
            let length = head.headers["content-length"].flatMap({ Int($0) }), length > body.count
        {
            return end(.failure(WebProblem.cutShort(url)))
        }
        end(.success(WebAnswer(status: head.status, headers: head.headers, body: body, url: head.url)))
    }
}
