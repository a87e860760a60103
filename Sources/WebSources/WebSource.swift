public import KeyedLists
public import ListSources

/// Rows from a web server: the answer to a request, in any format that files have.
///
/// ```swift
/// WebSource(
///     WebRequest("https://api.example.org/people?per_page=50", headers: ["Authorization": "Bearer \(token)"]),
///     layout: RowLayout(.json, rows: JSONPointer(["items"]), fields: [.key: .name("id"), .title: .name("name")]),
///     next: .link)
/// ```
///
/// A server that gives its answers an `ETag` or a `Last-Modified` is asked whether there is another; if not (304), the
/// rows are those of last time, and nothing is read. One that says `Retry-After` is not asked before, and people hear
/// when. Certificates are always checked.
public actor WebSource: PagedSource {
    /// What is asked.
    public nonisolated let request: WebRequest
    /// How the answer becomes rows.
    public nonisolated let layout: RowLayout
    /// How the rows that follow are asked for; nil: there are none.
    public nonisolated let next: WebPaging?
    private let limits: WebLimits
    private var memory = WebSourceState()

    /// - Parameters:
    ///   - limits: how long and how large an answer may be, and from where.
    public init(
        _ request: WebRequest, layout: RowLayout = RowLayout(.json), next: WebPaging? = nil,
        limits: WebLimits = WebLimits()
    ) {
        self.request = request
        self.layout = layout
        self.next = next
        self.limits = limits
    }

    /// Whether rows may follow those of the first answer.
    public nonisolated var hasPages: Bool { next != nil }

    /// Asks once and yields the rows of the answer.
    ///
    /// - Throws: `SourceError` if the server can't be reached, does not prove who it is, answers with another status than
    ///   200 or 304, with too much, for too long, or with what is not the format.
    public func rows(into run: any RowSink) async throws {
        let isConditional = request.method == "GET" && request.body == nil
        let answer = try await answer(at: request.url, asking: isConditional ? memory.conditions : [:])
        if answer.status == 304, let kept = memory.kept {
            memory.begin(kept)
        } else {
            let rows = try read(answer)
            try Task.checkCancellation()
            memory.begin(
                WebSourceState.Kept(
                    rows: rows, next: try NextPage(next, request: request).url(after: answer, rows: rows.count),
                    etag: answer.headers["etag"], lastModified: answer.headers["last-modified"]))
        }
        run.yield(memory.kept?.rows ?? [])
    }

    /// Asks for the page that follows the last one that was read.
    public func rows(after last: ListRow) async throws -> MorePage {
        guard let url = memory.next else { return MorePage([], isLast: true) }
        let turn = memory.turn
        let answer = try await answer(at: url, asking: [:])
        let rows = try read(answer)
        let following = try NextPage(next, request: request).url(after: answer, rows: rows.count)
        try Task.checkCancellation()
        // A refresh that came meanwhile began anew: what follows its rows is not what follows these.
        if memory.turn == turn { memory.next = following }
        return MorePage(rows, isLast: following == nil)
    }

    private func answer(at url: String, asking conditions: [String: String]) async throws -> WebResponse {
        try memory.checkPatience(now: WallClock.milliseconds())
        let transfer = try WebTransfer(request, url: url, conditions: conditions, limits)
        let answer = try await transfer.answer()
        do {
            try answer.check(isConditional: !conditions.isEmpty)
        } catch {
            memory.notBefore = error.retryAfter.map { ($0, WallClock.milliseconds(), error) }
            throw error
        }
        return answer
    }

    private func read(_ answer: WebResponse) throws -> [ListRow] {
        var reader = RowReader(layout, of: "the answer", encoding: answer.encoding, base: answer.url)
        return try answer.body.withUnsafeBytes { try reader.append($0) } + (try reader.finish())
    }
}

/// What an answer from the web may cost, and where it may come from.
public struct WebLimits: Hashable, Sendable {
    /// How long an answer may take, from the first attempt to its last byte. 20 s unless set.
    public var timeout: Duration
    /// The most that is read, in bytes, unpacked. 16 MiB unless set.
    public var size: Int
    /// Whether addresses of this machine and of private networks may be asked. Where not, names that lead to them are
    /// refused, of redirects too: it is the address that counts to which a connection is really made.
    public var allowsPrivateAddresses: Bool

    /// Default: 20 s, 16 MiB and any address.
    public init(timeout: Duration = .seconds(20), size: Int = 16 << 20, allowsPrivateAddresses: Bool = true) {
        self.timeout = timeout
        self.size = size
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }
}

/// State that a web source keeps between requests: entity tag, date, and when it may send the next one.
struct WebSourceState {
    /// The last answer that was read whole.
    struct Kept {
        var rows: [ListRow]
        var next: String?
        var etag: String?
        var lastModified: String?
    }

    private(set) var kept: Kept?
    /// Where the rows are that follow the last page; nil: there are none.
    var next: String?
    /// How many first pages were read.
    private(set) var turn = 0
    /// The server's `Retry-After`: how long to wait, since when (ms since 1970), and its message.
    var notBefore: (wait: Duration, since: Int64, said: SourceError)?

    /// The first page was read, or is what it was.
    mutating func begin(_ kept: Kept) {
        self.kept = kept
        next = kept.next
        turn += 1
    }

    /// The headers that ask whether there is another answer: RFC 9110 §13.1.
    var conditions: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = kept?.etag
        // §13.1.3: not beside the other.
        if kept?.etag == nil { headers["If-Modified-Since"] = kept?.lastModified }
        return headers
    }

    /// - Throws: the server's message, until its `Retry-After` has passed.
    mutating func checkPatience(now: Int64) throws(SourceError) {
        guard let (wait, since, said) = notBefore else { return }
        let left = wait - .milliseconds(now - since)
        guard left > .zero, now >= since else {
            notBefore = nil
            return
        }
        var error = said
        error.retryAfter = left
        throw error
    }
}
