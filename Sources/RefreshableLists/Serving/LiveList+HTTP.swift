import KeyedLists
import ListProtocol
import ListStorage
import Logging
import WebSockets

/// Answers HTTP requests for a list and its rows.
extension LiveList {
    /// Its entry in the directory: name, title, and, where they are known, how much it holds and where its history is. From
    /// any thread.
    ///
    /// - Parameter mayRefresh: whether whoever asks may refresh it, if it can be.
    nonisolated func summary(mayRefresh: Bool) -> [UInt8] {
        let description = description
        var json = JSONWriter()
        json.beginObject()
        json.member("name", name)
        json.member("title", description.title)
        if let contents = statistics.contents {
            json.member("count", contents.count)
            json.member("revision", contents.revision)
            json.member("epoch", contents.epoch.description)
            if let updatedAt = contents.updatedAt { json.member("updatedAt", Int(updatedAt)) }
            if let staleSince = contents.staleSince { json.member("staleSince", Int(staleSince)) }
        }
        json.member("refreshable", mayRefresh && description.handler != nil)
        if let notify = description.notify { json.member("notify", notify.rawValue) }
        json.endObject()
        return json.bytes
    }

    /// Its rows. A list that was never loaded is loaded first, so that a program's first look finds rows; where that can't
    /// be, it finds what is there.
    ///
    /// Where other servers have the list, too, what they have kept is read before: whoever has pushed by another one finds it.
    ///
    /// - Parameter window: of the rows; nil: all.
    func answerRows(_ request: HTTPRequest, window: WindowRequest? = nil, _ exchange: HTTPExchange) {
        guard store.shared != nil, store.shared?.fault == nil, readable() != nil else {
            return answerRowsOnceLoaded(request, window, exchange)
        }
        readShared { [self] _ in answerRowsOnceLoaded(request, window, exchange) }
    }

    private func answerRowsOnceLoaded(_ request: HTTPRequest, _ window: WindowRequest?, _ exchange: HTTPExchange) {
        guard isFirstLoadToCome else { return answerRowsNow(request, window, exchange) }
        let asker = RefreshGate.Requester.call(ObjectIdentifier(exchange))
        refresh(.init(requester: asker, cause: .initial)) { [self] answer in
            switch answer {
            case .run: withdraw(asker, whenAbandoned: exchange)
            case .tooSoon, .refused, .spent, .unavailable, nil: answerRowsNow(request, window, exchange)
            }
        } whenOver: { [self] _ in
            post { $0.answerRowsNow(request, window, exchange) }
        }
    }

    private func answerRowsNow(_ request: HTTPRequest, _ window: WindowRequest?, _ exchange: HTTPExchange) {
        let window = description.windows == nil ? window : window ?? .top
        prepare(window?.view) { [self] in
            guard let kept = readable() else {
                return exchange.answer(.problem(503, unreadableText))
            }
            exchange.answer(rowsResponse(kept, window, unless: request.headers["If-None-Match"]))
        }
    }

    /// Whether there are no rows for no other reason than that nothing has loaded them yet.
    private var isFirstLoadToCome: Bool {
        guard !hasEnded, let kept = readable(), kept.facts.updatedAt == nil, kept.rows.isEmpty else { return false }
        return gate.current.map { !$0.isPage } ?? (!hasLoaded && description.handler(for: .initial) != nil)
    }

    /// Refreshes and answers with the outcome, however long it takes. Who asks is a visitor like others, and leaves like them.
    func answerRefresh(key: IdempotencyKey?, _ exchange: HTTPExchange) {
        let asker = RefreshGate.Requester.call(ObjectIdentifier(exchange))
        refresh(.init(requester: asker, cause: .refresh), key: key) { [self] answer in
            switch answer {
            case .run: withdraw(asker, whenAbandoned: exchange)
            case .tooSoon: exchange.answer(.tooSoon(gate.rest(now: now)))
            case .refused(let reason): exchange.answer(.problem(409, reason))
            case .spent, .unavailable:
                exchange.answer(.unavailable("The list \(name) cannot be refreshed at the moment."))
            case nil: exchange.answer(.problem(503, "The list cannot be read at the moment."))
            }
        } whenOver: { run in
            guard let run else {
                return exchange.answer(.problem(410, "That run has ended, and its outcome is no longer stored."))
            }
            exchange.answer(.json(run.outcome.status, run.json))
        }
    }

    /// Who leaves while an answer is waited for wants nothing any more.
    private func withdraw(_ asker: RefreshGate.Requester, whenAbandoned exchange: HTTPExchange) {
        exchange.whenAbandoned { [weak self] in self?.post { $0.withdraw(waiting: asker) } }
    }

    /// Whether its rows can be read, now that they are.
    var isReadable: Bool { !hasEnded && readable() != nil }

    private func readable() -> PersistentList? {
        do { try load() } catch {
            logUnreadable(error)
            return nil
        }
        // Rows that could not be kept, or read again since, are nobody's to see.
        return kept.flatMap { $0.isInDoubt ? nil : $0 }
    }

    private func rowsResponse(_ kept: PersistentList, _ window: WindowRequest?, unless known: String?) -> HTTPResponse {
        var part: RowsDocument.Part?
        if let window, description.windows != nil {
            if let failure = sourceReading.faults[window.view] { return .problem(502, failure.message) }
            guard let (rows, place) = broadcaster.views.sourced[window.view] else {
                return .problem(404, "The list \(name) does not have that row, or has it no longer.")
            }
            part = RowsDocument.Part(request: window, of: rows, range: 0..<rows.count, place: place)
        } else if let window {
            let query = window.view.query
            guard let rows = query.isEmpty ? kept.rows : broadcaster.views[query] else {
                return .unavailable("Too much is being looked for in the list \(name) at the moment.")
            }
            guard let range = rows.range(of: window.view.window) else {
                return .problem(404, "The list \(name) does not have that row, or has it no longer.")
            }
            let place = WindowPlace(first: range.lowerBound, total: rows.count)
            part = RowsDocument.Part(request: window, of: rows, range: range, place: place)
        }
        let tag = "\"\(kept.epoch):\(kept.rows.revision)\""
        // Of rows that are not kept, nobody knows whether they are the same at the same revision.
        let isTagged = description.windows == nil
        let isKnown =
            isTagged && known.map { $0 == "*" || $0.split(separator: ",").contains { $0.isTag(tag) } } ?? false
        var response =
            isKnown
            ? HTTPResponse(status: 304)
            : document.response(of: kept, titled: description.title, awaySince: shared.awaySince, part: part)
        if isTagged { response.headers["ETag"] = tag }
        response.headers["Cache-Control"] = "no-cache"
        return response
    }
}

extension HTTPResponse {
    /// 503, with the time after which it may be otherwise (RFC 9110 §10.2.3).
    static func unavailable(_ message: String) -> HTTPResponse {
        var response = problem(503, message)
        response.headers["Retry-After"] = "2"
        return response
    }

    /// 429, with the time after which the list may be refreshed again (RFC 9110 §10.2.3).
    fileprivate static func tooSoon(_ rest: Duration) -> HTTPResponse {
        let seconds = max(1, (rest.milliseconds + 999) / 1000)
        var response = problem(429, "The list was refreshed a moment ago. Ask again in \(seconds) s.")
        response.headers["Retry-After"] = "\(seconds)"
        return response
    }
}

extension Substring {
    /// Weak comparison of entity tags, as If-None-Match wants it (RFC 9110 §8.8.3.2).
    fileprivate func isTag(_ tag: String) -> Bool {
        let bare = drop { $0 == " " }
        return (bare.hasPrefix("W/") ? bare.dropFirst(2) : bare) == tag
    }
}

extension RefreshOutcome {
    /// The status of a response for this outcome: the list's source is upstream of us.
    fileprivate var status: Int {
        switch self {
        case .success: 200
        case .failure: 502
        case .timeout: 504
        case .cancelled: 409
        }
    }
}

extension FinishedRun {
    /// As in the `last` of a state.
    fileprivate var json: [UInt8] { LastRun(self).encoded() }
}

/// A list's rows as programs read them over HTTP: one body for all who ask until something in it changes, so that those who
/// take it slowly hold it in memory once.
struct RowsDocument {
    /// What is in it beside the name. A revision of an epoch has always the same rows.
    private struct Contents: Hashable {
        var title: String
        var epoch: Epoch
        var revision: Revision
        var updatedAt: Int64?
        var staleSince: Int64?
    }

    /// The rows that are asked for, and where they are.
    struct Part {
        let request: WindowRequest
        let of: KeyedList
        /// Their indexes in that.
        let range: Range<Int>
        let place: WindowPlace
    }

    private var made: (contents: Contents, response: HTTPResponse)?
    private var sharedBuffers: SharedBufferLimit

    /// - Parameter share: bytes that all lists may lend.
    init(of share: MemoryShare) { sharedBuffers = SharedBufferLimit(of: share) }

    /// The answer with the document of a list as it is. The same array, not only an equal one, until it is another; a window is
    /// made for whoever asks.
    mutating func response(
        of list: PersistentList, titled title: String, awaySince: Int64? = nil, part: Part? = nil
    ) -> HTTPResponse {
        let contents = Contents(
            title: title, epoch: list.epoch, revision: list.rows.revision, updatedAt: list.facts.updatedAt,
            staleSince: list.facts.staleSince ?? awaySince)
        if let part { return response(of: list, contents, part) }
        if let made, made.contents == contents { return made.response }
        var response = HTTPResponse.json(200, Self.encode(contents, list, list.rows.rows))
        response.revocation = sharedBuffers.lend(response.body.count)
        made = (contents, response)
        return response
    }

    private mutating func response(
        of list: PersistentList, _ contents: Contents, _ part: Part
    ) -> HTTPResponse {
        var bytes = 0
        let rows = part.of.rows(in: part.range).prefix { row in
            defer { bytes += row.key.string.utf8.count + row.fields.bytes.count }
            return bytes < WindowRequest.mostBytes
        }
        var response = HTTPResponse.json(
            200, Self.encode(contents, list, rows, at: part.place))
        response.revocation = sharedBuffers.lend(response.body.count)
        let given = part.place.first..<part.place.first + rows.count
        response.headers["Link"] = part.request.links(beside: given, of: part.place.total)
        return response
    }

    /// The rows have changed: no new response uses this document, and those under way may finish.
    mutating func forget() { made = nil }

    private static func encode(
        _ contents: Contents, _ list: PersistentList, _ rows: some Sequence<PlacedRow>, at place: WindowPlace? = nil
    ) -> [UInt8] {
        var json = JSONWriter(reserving: rows.underestimatedCount * 128)
        json.beginObject()
        json.member("name", list.name)
        json.member("title", contents.title)
        json.member("epoch", contents.epoch.description)
        json.member("revision", contents.revision)
        json.member("count", rows.underestimatedCount)
        if let place {
            json.member("first", place.first)
            json.member("total", place.total)
        }
        if let updatedAt = contents.updatedAt { json.member("updatedAt", Int(updatedAt)) }
        if let staleSince = contents.staleSince { json.member("staleSince", Int(staleSince)) }
        json.name("rows")
        json.beginArray()
        for row in rows {
            json.beginObject()
            json.member("key", row.key)
            json.name("fields")
            json.raw(row.fields.bytes)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
