import ListStorage
import Locking
import WebSockets

/// What `/readyz` says: 200 where every list can be read and served and what they get can be kept; 503 where one can't, or
/// the server is about to stop.
///
/// A list is read for that, unless it was: who sends people here wants it to be there. Those that were are not asked, so
/// that none which is busy is waited for. Which one is not ready is told to those who may read the metrics.
struct Readiness: Sendable {
    let lists: ListDirectory
    let store: any ListStore
    let drain: DrainFlag
    let readers: MetricsReaders
    let authenticator: Authenticator

    /// From a loop's thread; answers now or later.
    func answer(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if drain.isOn { return exchange.answer(.comeBack) }
        // Where tokens are asked for, names of lists are for those who may see them.
        let isTold = !authenticator.asksForTokens && (readers == .all || request.isLocal)
        if let fault = store.fault { return exchange.answer(.later("Not ready.\(request.isLocal ? " \(fault)" : "")")) }
        let unread = lists.all.filter { !$0.statistics.isWhole }
        let roll = ReadinessCheck(of: unread.count) { unready in
            if unready.isEmpty { return exchange.answer(.text(200, "ready")) }
            let which = isTold ? " These lists can't be read: \(unready.sorted().joined(separator: ", "))." : ""
            exchange.answer(.later("Not ready.\(which)"))
        }
        for list in unread { list.post { list in list.whenRead { roll.answer(list.name, isReady: $0) } } }
    }
}

extension HTTPResponse {
    /// The server is about to stop.
    static var comeBack: HTTPResponse { later("The server is about to stop. Please come back in a moment.") }

    /// 503, with a time to come back after (RFC 9110 §10.2.3).
    fileprivate static func later(_ text: String) -> HTTPResponse {
        var response = HTTPResponse.text(503, text)
        response.headers["Retry-After"] = "2"
        return response
    }
}

/// Waits for the word of each of several lists.
private final class ReadinessCheck: Sendable {
    private let state: Locked<(missing: Int, unready: [String])>
    private let whenWhole: @Sendable ([String]) -> Void

    init(of count: Int, whenWhole: @escaping @Sendable ([String]) -> Void) {
        state = Locked((count, []))
        self.whenWhole = whenWhole
        if count == 0 { whenWhole([]) }
    }

    func answer(_ name: String, isReady: Bool) {
        let unready = state.withLock { state -> [String]? in
            state.missing -= 1
            if !isReady { state.unready.append(name) }
            return state.missing == 0 ? state.unready : nil
        }
        if let unready { whenWhole(unready) }
    }
}
