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

    /// Lists end with their server, however that ends.
    @Test(.timeLimit(.minutes(1))) func whoWaitsForAListOfAServerThatCannotServeIsToldWhy() async throws {
        let server = server("names", "names")
        let list = try #require(server["names"])
        async let insertion = failure { try await list.insert(ListRow("a")) }
        async let phases = list.phases.reduce(into: 0) { count, _ in count += 1 }
        await #expect(throws: RefreshableServerError.duplicateName("names")) { try await server.run() }

        let reason = "\(RefreshableServerError.duplicateName("names"))"
        #expect(await insertion as? EditError == .ended(reason: reason))
        #expect(await phases >= 0)
        await #expect(throws: EditError.ended(reason: reason)) { try await list.insert(ListRow("b")) }
        await #expect(throws: EditError.ended(reason: reason)) { try await list.rows }
        await #expect(throws: EditError.ended(reason: reason)) { try await list.revision }
    }

    @Test(.timeLimit(.minutes(1))) func aPortThatIsTakenEndsTheLists() async throws {
        let first = server("names")
        let running = Task { try await first.run() }
        var configuration = Self.configuration
        let taken = try await first.port
        configuration.port = taken
        let second = RefreshableServer(configuration: configuration, logger: Self.quiet) {
            RefreshableList("names").refreshable { ["a"] }
        }

        await #expect(throws: (any Error).self) { try await second.run() }

        let list = try #require(second["names"])
        let error = await failure { try await list.insert(ListRow("a")) }
        #expect("\(error, default: "")".contains("\(taken)"))
        #expect(await list.refresh?() == .cancelled)
        running.cancel()
        _ = await running.result
        await #expect(throws: EditError.ended()) { try await first["names"]?.insert(ListRow("a")) }
    }

    @Test func aFolderThatCannotBeOpenedEndsTheLists() async throws {
        var configuration = Self.configuration
        configuration.data = .folder("/dev/null/lists")
        let server = RefreshableServer(configuration: configuration, logger: Self.quiet) { RefreshableList("names") }
        await #expect(throws: (any Error).self) { try await server.run() }
        let error = await failure { try await server["names"]?.insert(ListRow("a")) }
        #expect("\(error, default: "")".contains("/dev/null/lists"))
    }

    @Test(.timeLimit(.minutes(1))) func whoWaitsForThePortIsToldWhyThereIsNone() async throws {
        let server = server("names", "names")
        async let waiting = failure { try await server.port }
        let cancelled = Task { try await server.port }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }

        try? await server.run()

        #expect(await waiting as? RefreshableServerError == .duplicateName("names"))
        await #expect(throws: RefreshableServerError.duplicateName("names")) { try await server.port }
    }

    @Test func aListIsFoundByItsDescription() async throws {
        let names = RefreshableList("names")
        let server = RefreshableServer(configuration: Self.configuration, logger: Self.quiet) { names }
        #expect(server[names] === server["names"])
    }

    @Test func aServerThatRunsTwiceGoesOn() async throws {
        let server = server("names")
        let running = Task { try await server.run() }
        _ = try await server.port
        await #expect(throws: RefreshableServerError.wasRun) { try await server.run() }
        try await server["names"]?.insert(ListRow("a"))
        running.cancel()
        _ = await running.result
    }
}

private func failure(of body: () async throws -> some Any) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
