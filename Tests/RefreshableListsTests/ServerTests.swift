import Logging
import RefreshableLists
import ServiceLifecycle
import Testing

/// A server's life: described, run once, stopped.
@Suite struct ServerTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static var configuration: RefreshableServer.Configuration {
        var configuration = RefreshableServer.Configuration()
        configuration.port = 0
        return configuration
    }

    private func server(_ names: String...) -> RefreshableServer {
        RefreshableServer(
            lists: names.map { RefreshableList($0) }, configuration: Self.configuration, logger: Self.quiet)
    }

    @Test func aListThatWasDescribedIsThereBeforeTheServerRuns() {
        let server = server("names")
        #expect(server["names"]?.name == "names")
        #expect(server["others"] == nil)
    }

    @Test func whatCannotBeServedIsSaidByRun() async {
        let twice = server("names", "names")
        await #expect(throws: RefreshableServerError.duplicateName("names")) { try await twice.run() }
        await #expect(throws: RefreshableServerError.invalidName("a/b")) { try await server("a/b").run() }
    }

    @Test func aServerRunsOnce() async {
        let server = server("names")
        let running = Task { try await server.run() }
        running.cancel()
        _ = await running.result
        await #expect(throws: RefreshableServerError.wasRun) { try await server.run() }
    }

    @Test(.timeLimit(.minutes(1))) func aGracefulShutdownOfItsGroupDrainsIt() async throws {
        let server = server("names")
        let group = ServiceGroup(services: [server], logger: Self.quiet)
        async let ending: Void = group.run()
        await group.triggerGracefulShutdown()
        try await ending
    }
}
