import HTTPTypes

/// One event of a stream that a browser reads by `EventSource` (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// What the page gets; may have several lines.
    public var data: String
    /// Its type; nil: `message`.
    public var event: String?
    /// What the browser sends back, as `Last-Event-ID`, when it connects again; nil: the one before stays.
    public var id: String?
    /// How long the browser waits before it connects again; nil: as before.
    public var retry: Duration?

    /// An event of these parts.
    public init(data: String, event: String? = nil, id: String? = nil, retry: Duration? = nil) {
        self.data = data
        self.event = event
        self.id = id
        self.retry = retry
    }

    /// As it stands in a stream, in UTF-8. Line breaks in `event` and `id`, which would begin another field, are left out.
    public var bytes: [UInt8] {
        var lines: [String] = []
        if let event { lines.append("event: \(Self.line(event))") }
        if let id { lines.append("id: \(Self.line(id))") }
        if let retry { lines.append("retry: \(retry.milliseconds)") }
        lines += Self.lines(of: data).map { "data: \($0)" }
        return Array((lines.joined(separator: "\n") + "\n\n").utf8)
    }

    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !["\r", "\n", "\0"].contains($0) }))
    }

    /// A carriage return, a line feed, or both, end a line.
    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { ["\r", "\n", "\r\n"].contains($0) }
    }
}

/// Sends the events of one answer.
public struct EventWriter: Sendable {
    let writer: BodyWriter

    /// Sends an event. As `BodyWriter.write`.
    public func send(_ event: ServerSentEvent) async throws { try await writer.write(event.bytes) }

    /// Sends an event that has data alone.
    public func send(_ data: String) async throws { try await send(ServerSentEvent(data: data)) }
}

extension ServerResponse {
    /// A stream of events for an `EventSource`. It ends when the closure returns; the browser connects again then.
    ///
    /// - Parameters:
    ///   - keepAlive: after so long a comment is sent, so that proxies keep the connection.
    ///   - body: sends events. Its task is cancelled if whoever asked leaves, and when the server ends.
    public static func events(
        keepAlive: Duration = .seconds(15), _ body: @escaping @Sendable (_ events: EventWriter) async throws -> Void
    ) -> ServerResponse {
        let fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return stream(headerFields: fields) { writer in
            try await withThrowingTaskGroup { group in
                group.addTask {
                    while true {
                        try await Task.sleep(for: keepAlive)
                        try await writer.write(":\n\n")
                    }
                }
                group.addTask { try await body(EventWriter(writer: writer)) }
                // The first of the two to end is the body, or a peer that has left.
                try await group.next()
                group.cancelAll()
            }
        }
    }
}
