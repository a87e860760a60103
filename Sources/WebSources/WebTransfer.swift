import CCurl
import CPlatform
import ListSources

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// One request and its answer, by libcurl: counted, limited, and cancelled with its task. On the web's thread, but for
/// `answer`.
///
/// ```
/// answer() ─▶ begin ─▶ headers, body ─▶ ended ─┬─ Location ─▶ begin, at most ten times
///                          └ too much: stop ──▶└─▶ WebResponse, or SourceError
/// ```
/// Connections are kept for the next request; cookies, passwords and answers are not. Redirects are followed by us: what
/// was meant for one server is not sent to another.
final class WebTransfer: @unchecked Sendable {
    /// As many as browsers follow at least: the Fetch standard has 20.
    private static let mostRedirects = 10
    /// Bytes of all header lines of an answer.
    private static let headerLimit = 64 * 1024

    /// Why it was stopped.
    private enum Stop {
        case tooLarge, manyHeaders
    }

    let easy: UnsafeMutableRawPointer
    private let request: WebRequest
    private let conditions: [String: String]
    private let origin: WebURL
    private let limits: WebLimits
    private let deadline: ContinuousClock.Instant
    private let followsRedirects: Bool

    private var url: WebURL
    private var method: String
    private var body: [UInt8]?
    private var redirects = 0
    private var sentHeaders: UnsafeMutablePointer<curl_slist>?
    private var headers: [String: String] = [:]
    private var headerBytes = 0
    private var received: [UInt8] = []
    private var stop: Stop?
    /// Whether an address was refused since the last redirect.
    private var wasPrivate = false
    private var answered: CheckedContinuation<WebResponse, any Error>?
    private var result: Result<WebResponse, any Error>?

    /// - Parameters:
    ///   - body: sent in place of the request's own.
    ///   - followsRedirects: if not, one is an answer as any other.
    /// - Throws: `SourceError` if the URL is none.
    init(
        _ request: WebRequest, url text: String, conditions: [String: String] = [:], body: [UInt8]? = nil,
        followsRedirects: Bool = true, _ limits: WebLimits
    ) throws(SourceError) {
        guard let url = WebURL(text) else {
            throw SourceError(message: "The URL can't be requested: it is not an http or https URL.")
        }
        self.request = request
        self.conditions = conditions
        self.limits = limits
        self.url = url
        origin = url
        method = request.method
        self.body = body ?? request.body.map { Array($0.utf8) }
        self.followsRedirects = followsRedirects
        deadline = .now + limits.timeout
        easy = curl_easy_init()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(sentHeaders)
    }

    /// Asks, and waits for the whole answer. From any task.
    func answer() async throws -> WebResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                WebLoop.shared.post { self.begin(continuation) }
            }
        } onCancel: {
            WebLoop.shared.post { self.end(.failure(CancellationError())) }
        }
    }

    private var multi: CurlMulti {
        WebLoop.shared.multi(limits.allowsPrivateAddresses ? .anywhere : .publicAddresses)
    }

    private func begin(_ continuation: CheckedContinuation<WebResponse, any Error>) {
        if let result { return continuation.resume(with: result) }
        answered = continuation
        configure()
        ask()
    }

    /// The first end counts.
    private func end(_ result: Result<WebResponse, any Error>) {
        guard self.result == nil else { return }
        self.result = result
        received = []
        guard let answered else { return }
        self.answered = nil
        multi.remove(self)
        answered.resume(with: result)
    }
}

// MARK: Asking

extension WebTransfer {
    /// What is the same for every server on the way.
    private func configure() {
        shim_set_functions(
            easy, { bytes, _, count, me in WebTransfer.behind(me).takeHeader(bytes, count) },
            { bytes, _, count, me in WebTransfer.behind(me).takeBody(bytes, count) },
            { me, _, address in WebTransfer.behind(me).open(address) }, Unmanaged.passUnretained(self).toOpaque())
        shim_set_protocols(easy)
        shim_set_quick_exit(easy)
        shim_set_number(easy, CURLOPT_NOSIGNAL, 1)
        shim_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        shim_set_text(easy, CURLOPT_USERAGENT, "refreshable")
        // All that this libcurl can unpack; what comes of it is what is counted.
        shim_set_text(easy, CURLOPT_ACCEPT_ENCODING, "")
        // A proxy would look names up by itself, and its own address be the one that is judged.
        if !limits.allowsPrivateAddresses { shim_set_text(easy, CURLOPT_NOPROXY, "*") }
        if let file = getenv("SSL_CERT_FILE") { shim_set_text(easy, CURLOPT_CAINFO, file) }
    }

    private func ask() {
        let left = deadline - .now
        guard left > .zero else { return end(.failure(WebProblem.timeout(url, limits.timeout))) }
        let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
        shim_set_number(easy, CURLOPT_TIMEOUT_MS, Int(max(1, milliseconds)))
        shim_set_text(easy, CURLOPT_URL, url.text)
        shim_set_number(easy, CURLOPT_HTTPGET, 1)
        if let body { shim_set_body(easy, body, body.count) }
        shim_set_number(easy, CURLOPT_NOBODY, method == "HEAD" ? 1 : 0)
        shim_set_text(easy, CURLOPT_CUSTOMREQUEST, method)
        sendHeaders()
        (headers, headerBytes, received, wasPrivate) = ([:], 0, [], false)
        multi.add(self)
    }

    /// The headers of the settings go to their server alone.
    private func sendHeaders() {
        let own = url.hasOrigin(of: origin) ? request.headers : [:]
        var list: UnsafeMutablePointer<curl_slist>?
        for (name, value) in own.merging(conditions, uniquingKeysWith: { own, _ in own }) {
            let value = value.filter { !$0.isNewline }
            // An empty one is written with a semicolon (CURLOPT_HTTPHEADER).
            list = curl_slist_append(list, value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        shim_set_headers(easy, list)
        curl_slist_free_all(sentHeaders)
        sentHeaders = list
    }

    /// The address is known and nothing is sent to it yet: the only moment at which it can be judged.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address else { return shim_SOCKET_BAD }
        if !limits.allowsPrivateAddresses {
            let isPublic = withUnsafePointer(to: &address.pointee.addr) { NetworkAddress($0)?.isPrivate == false }
            guard isPublic else {
                wasPrivate = true
                return shim_SOCKET_BAD
            }
        }
        let about = address.pointee
        return shim_socket(about.family, about.socktype, about.protocol)
    }

    private static func behind(_ me: UnsafeMutableRawPointer?) -> WebTransfer {
        Unmanaged<WebTransfer>.fromOpaque(me!).takeUnretainedValue()
    }
}

// MARK: What comes

extension WebTransfer {
    /// - Returns: how many bytes were taken; fewer end the transfer.
    private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        headerBytes += count
        guard headerBytes <= Self.headerLimit else { return halt(.manyHeaders) }
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        // Another answer begins: the one before was provisional.
        if line.hasPrefix("HTTP/") { headers = [:] }
        guard let colon = line.firstIndex(of: ":") else { return count }
        let name = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        let end = value.lastIndex { !$0.isWhitespace }.map(value.index(after:)) ?? value.startIndex
        headers[name] = headers[name].map { "\($0), \(value[..<end])" } ?? String(value[..<end])
        // Told beforehand, it costs nothing.
        if name == "content-length", let length = Int(value[..<end]), length > limits.size { return halt(.tooLarge) }
        return count
    }

    private func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard received.count + count <= limits.size else { return halt(.tooLarge) }
        received.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    private func halt(_ stop: Stop) -> Int {
        self.stop = stop
        return 0
    }

    /// libcurl is done with it.
    func ended(_ code: CURLcode) {
        switch stop {
        case .tooLarge: return end(.failure(WebProblem.tooLarge(url, limits.size)))
        case .manyHeaders: return end(.failure(WebProblem.manyHeaders(url, Self.headerLimit)))
        case nil: break
        }
        guard code == CURLE_OK else {
            return end(.failure(wasPrivate ? WebProblem.privateAddress(url) : problem(code)))
        }
        let status = shim_status(easy)
        if followsRedirects, [301, 302, 303, 307, 308].contains(status), let target = shim_redirect_url(easy) {
            return redirect(status, to: String(cString: target))
        }
        end(.success(WebResponse(status: status, headers: headers, body: received, url: url)))
    }

    private func problem(_ code: CURLcode) -> SourceError {
        code == CURLE_OPERATION_TIMEDOUT
            ? WebProblem.timeout(url, limits.timeout) : WebProblem.explain(code, url, hasBegun: !headers.isEmpty)
    }

    /// As browsers do (the Fetch standard, HTTP-redirect fetch): what was posted is got from there, unless it is to be
    /// posted again.
    private func redirect(_ status: Int, to target: String) {
        redirects += 1
        guard redirects <= Self.mostRedirects, let target = WebURL(target) else {
            return end(.failure(WebProblem.redirects(url)))
        }
        if status == 303 && method != "HEAD" || status < 303 && method == "POST" {
            method = "GET"
            body = nil
        }
        url = target
        ask()
    }
}
