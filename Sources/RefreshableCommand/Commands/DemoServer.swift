import Logging
import RefreshableLists

/// Serves the demos in memory on a free port while `body` runs.
enum DemoServer {
    /// - Parameter body: gets the port.
    static func serve<Value: Sendable>(_ body: @Sendable (Int) async throws -> Value) async throws -> Value {
        var configuration = RefreshableServer.Configuration()
        configuration.port = 0
        var logger = Logger(label: "refreshable") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let server = RefreshableServer(lists: ServedLists.demos(), configuration: configuration, logger: logger)
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let serving = Task {
            defer { continuation.finish() }
            try await server.run { continuation.yield($0) }
        }
        for await port in ports {
            let result: Result<Value, any Error>
            do { result = .success(try await body(port)) } catch { result = .failure(error) }
            serving.cancel()
            try await serving.value
            return try result.get()
        }
        try await serving.value
        throw CancellationError()
    }
}
