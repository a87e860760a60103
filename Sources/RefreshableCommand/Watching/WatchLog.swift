import KeyedLists
import ListProtocol
import RefreshableListsClient
import WebSockets

/// The output of `watch` without a terminal: a line for each change, as text or JSON.
///
///     Fruit: 3 rows, updated just now                {"key":"a","fields":{…},"change":"inserted"}
///     + Apple                                        {"phase":"loading","run":"r7"}
///     Refreshing…                                    {"phase":"closing","run":"r7","outcome":"success"}
///     3 changes in 5 s
struct WatchLog {
    let isJSON: Bool
    /// The phase that was printed last.
    private var phase: Phase?
    private var run: String?

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// - Parameter now: milliseconds since 1970.
    mutating func lines(_ update: WatchedList.Update, now: Int64) -> [String] {
        switch update {
        case .rows(let change): change.changes.map { isJSON ? Self.json($0) : Self.text($0, now: now) }
        case .state(let state): tell(state)
        case .progress(let progress): isJSON ? [json(progress)] : []
        case .refused(_, let message): isJSON ? [] : [message.clean]
        case .connection(.offline(let loss)): isJSON ? [] : [loss.text.clean]
        case .connection, .settings, .unread: []
        }
    }

    /// Each phase of each run once: a list sends its state again after a reconnection.
    private mutating func tell(_ state: ListState) -> [String] {
        guard state.phase != phase || state.run != run else { return [] }
        let isFirst = phase == nil
        (phase, run) = (state.phase, state.run)
        if isJSON { return [Self.json(state)] }
        switch state.phase {
        case .loading: return ["Refreshing…"]
        case .closing: return state.last.map { [RunSummary($0).text.clean] } ?? []
        case .waiting, .primed: return isFirst ? ["Waiting for changes. Ctrl-C ends it."] : []
        }
    }

    private static func text(_ change: WatchedList.RowChange, now: Int64) -> String {
        let mark =
            switch change.kind {
            case .inserted: "+"
            case .changed: "~"
            case .moved: ">"
            case .removed: "-"
            }
        return "\(mark) \(ShownRow(change.key, change.fields ?? Fields(), now: now).line)"
    }

    private static func json(_ change: WatchedList.RowChange) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.member("change", change.kind.rawValue)
        if let fields = change.fields {
            json.name("fields" as StaticString)
            json.raw(fields.bytes)
        }
        json.member("key", change.key.string)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func json(_ progress: WatchedList.Progress) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.member("completed", progress.completed)
        if let note = progress.note { json.member("note", note) }
        json.member("phase", Phase.loading.rawValue)
        if let run { json.member("run", run) }
        if let total = progress.total { json.member("total", total) }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func json(_ state: ListState) -> String {
        var json = JSONWriter()
        json.beginObject()
        if let last = state.last, state.phase != .loading {
            if let error = last.error { json.member("error", error.message) }
            json.member("outcome", last.outcome.rawValue)
        }
        json.member("phase", state.phase.rawValue)
        if let run = state.run { json.member("run", run) }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// The names of a server's lists, for messages about a list that was not named or does not exist.
enum ServedNames {
    /// - Parameters:
    ///   - url: of the server, such as `http://localhost:8080`.
    ///   - headers: what is shown to it.
    ///   - trust: which servers are believed.
    /// - Throws: `ListClientError` where it asks for a token; `SocketError`.
    static func of(_ url: String, headers: HTTPHeaders, trust: ServerTrust = ServerTrust()) async throws -> [String] {
        let lists = (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/lists"
        let answer = try await HTTPClient.get(lists, headers: headers, trust: trust)
        if answer.status == 401 || answer.status == 429 {
            throw ListClientError.refused(answer.status == 401 ? .unauthorised : .rateLimited, answer.detail)
        }
        guard case .object(let members) = try JSONValue(json: answer.body), case .array(let lists)? = members["lists"]
        else { return [] }
        return lists.compactMap { list in
            guard case .object(let members) = list, case .string(let name)? = members["name"] else { return nil }
            return name
        }
    }

    /// The message of an error: for an unknown list with the name that was probably meant.
    static func told(
        _ error: any Error, of list: String, at url: String, headers: HTTPHeaders, trust: ServerTrust
    ) async -> String {
        guard case ListClientError.refused(.unknownList, let message) = error,
            let names = try? await of(url, headers: headers, trust: trust), !names.isEmpty
        else { return "\(error)" }
        let meant = Spelling.nearest(to: list, in: names).map { "Did you mean \"\($0)\"?" }
        return "\(message) \(meant ?? "There are \(names.joined(separator: ", ")).")".clean
    }
}
