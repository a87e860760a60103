import KeyedLists
import ListSources

/// Takes the events of one run, in order.
struct TestSink: RowSink {
    enum Event: Sendable {
        case rows([Row])
        case progress(String)
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func yield(_ rows: [Row]) { continuation.yield(.rows(rows)) }

    func progress(_ completed: Int, of total: Int?, note: String?) {
        continuation.yield(.progress("\(completed)/\(total.map(String.init) ?? "?")"))
    }

    /// The events so far; the sink takes no more.
    func collected() async -> [Event] {
        continuation.finish()
        return await events.reduce(into: []) { $0.append($1) }
    }
}

extension RowSource {
    /// What one run of this source yields, as `key title` a row.
    func titles() async throws -> [String] {
        try await run().flatMap(\.self).map { "\($0.key) \($0.text("title") ?? "-")" }
    }

    /// The rows of one run, an array for each time it yielded.
    func run() async throws -> [[Row]] {
        let sink = TestSink()
        try await rows(into: sink)
        return await sink.collected().compactMap { if case .rows(let rows) = $0 { rows } else { nil } }
    }
}

extension Row {
    func text(_ field: Key) -> String? {
        if case .string(let text)? = fields[field] { text } else { nil }
    }
}
