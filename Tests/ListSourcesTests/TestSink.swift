import KeyedLists
import ListSources

/// Takes the events of one run, in order.
struct TestSink: RowSink {
    enum Event: Sendable {
        case rows([ListRow])
        case progress(String)
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func yield(_ rows: [ListRow]) { continuation.yield(.rows(rows)) }

    func progress(_ completed: Int, of total: Int?, note: String?) {
        let note = note.map { " \($0)" } ?? ""
        continuation.yield(.progress("\(completed)/\(total.map(String.init) ?? "?")\(note)"))
    }

    /// The events so far; the sink takes no more.
    func collected() async -> [Event] {
        continuation.finish()
        return await events.reduce(into: []) { $0.append($1) }
    }
}

extension [TestSink.Event] {
    /// The rows among them.
    var rows: [ListRow] { flatMap { if case .rows(let rows) = $0 { return rows } else { return [] } } }
    /// The reports among them.
    var progress: [String] { compactMap { if case .progress(let text) = $0 { return text } else { return nil } } }
}

extension RowSource {
    /// What one run of this source yields, as `key title` a row.
    func titles() async throws -> [String] {
        try await run().flatMap(\.self).map { "\($0.key) \($0.text("title") ?? "-")" }
    }

    /// The rows of one run, an array for each time it yielded.
    func run() async throws -> [[ListRow]] {
        let sink = TestSink()
        try await rows(into: sink)
        return await sink.collected().compactMap { if case .rows(let rows) = $0 { rows } else { nil } }
    }
}

extension ListRow {
    func text(_ field: Key) -> String? {
        if case .string(let text)? = fields[field] { text } else { nil }
    }
}
