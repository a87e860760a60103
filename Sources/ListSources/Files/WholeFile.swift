/// A file that is read and watched as a whole: never half written, and told of when it is another.
package struct WholeFile: Sendable {
    private let path: String
    private let limit: Int
    private let grows: Bool
    private let patience: Duration

    /// - Parameters:
    ///   - limit: the most that is read, in bytes.
    ///   - grows: whether others add lines to it and keep it open: then it is read up to its last whole line.
    ///   - patience: how long it may be written while it is waited for.
    package init(_ path: String, limit: Int, grows: Bool = false, patience: Duration = .seconds(10)) {
        self.path = path
        self.limit = limit
        self.grows = grows
        self.patience = patience
    }

    /// What is in it, once nobody writes it.
    ///
    /// - Throws: `SourceError`; `CancellationError`.
    package func bytes() async throws -> [UInt8] {
        let reading = FileReading(path: path, limit: limit, grows: grows)
        var waited = Duration.zero
        while true {
            if case .whole(let bytes) = try reading.attempt() { return bytes }
            guard waited < patience else {
                throw SourceError(message: "The file is still being written.", detail: "It is \(path).")
            }
            try await Task.sleep(for: .milliseconds(50))
            waited += .milliseconds(50)
        }
    }

    /// An element for each time that it was written and closed, or another took its place, or it went.
    package func changes() -> AsyncStream<Void> { FileWatcher.shared.changes(of: path, as: grows ? .growing : .whole) }
}
