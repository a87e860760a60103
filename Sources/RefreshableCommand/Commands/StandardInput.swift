import Dispatch

/// What is typed, or comes through a pipe.
enum StandardInput {
    /// Its lines, read on a thread of its own, until it ends. For one reader.
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue(label: "standard input").async {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
