import CoreMetrics
import ListProtocol
import MetricsTestKit
import RefreshableLists
import Testing
import WebSockets

/// `/metrics` of a server that serves.
@Suite(.timeLimit(.minutes(1)))
struct ServerMetricsTests {
    private static let lists = [
        RefreshableList("fruit").rows([]).refreshable { [ListRow("apple", title: "Apple")] }
    ]

    private func text(of server: RunningServer) async throws -> String {
        let answer = try await HTTPClient.get("http://127.0.0.1:\(server.port)/metrics")
        #expect(answer.status == 200)
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test func whatHappenedIsCounted() async throws {
        let server = try await RunningServer(lists: Self.lists)
        let client = try await server.connect()
        _ = try await client.watch("fruit")
        _ = try await client.pull("fruit", gesture: 1)
        _ = try await client.state { $0.phase == .closing }

        let lines = try await text(of: server).split(separator: "\n")
        #expect(lines.contains("refreshable_watches{list=\"fruit\"} 1"))
        #expect(lines.contains("refreshable_runs_total{list=\"fruit\",outcome=\"success\"} 1"))
        #expect(lines.contains("refreshable_run_duration_seconds_count{list=\"fruit\",outcome=\"success\"} 1"))
        #expect(lines.contains("refreshable_revisions_total{list=\"fruit\"} 1"))
        #expect(lines.contains("refreshable_patches_total{kind=\"live\",list=\"fruit\"} 1"))
        #expect(lines.contains("refreshable_sockets{loop=\"0\"} 1"))
        await client.end()
        try await server.stop()
    }

    @Test func aProgramsOwnBackendGetsTheSame() async throws {
        let backend = TestMetrics()
        let server = try await withMetricsFactory(backend) { try await RunningServer(lists: Self.lists) }
        let client = try await server.connect()
        _ = try await client.watch("fruit")
        _ = try await client.pull("fruit", gesture: 1)
        _ = try await client.state { $0.phase == .closing }
        _ = try await text(of: server)

        #expect(try backend.expectMeter("refreshable_watches", [("list", "fruit")]).lastValue == 1)
        let runs = try backend.expectCounter(
            "refreshable_runs_total", [("list", "fruit"), ("outcome", "success")])
        #expect(runs.totalValue == 1)
        let durations = try backend.expectTimer(
            "refreshable_run_duration_seconds", [("list", "fruit"), ("outcome", "success")])
        #expect(durations.values.count == 1)
        await client.end()
        try await server.stop()
    }

    @Test func aProgramThatTakesOursHasItsOwnFiguresThereToo() async throws {
        let metrics = PrometheusMetrics()
        Counter(label: "orders_total", factory: metrics).increment(by: 3)
        let server = try await withMetricsFactory(metrics) { try await RunningServer(lists: Self.lists) }

        let lines = try await text(of: server).split(separator: "\n")
        #expect(lines.contains("orders_total 3") && lines.contains("refreshable_lists 1"))
        try await server.stop()
    }

    @Test(arguments: [(MetricsReaders.off, 404), (.local, 403), (.all, 200)])
    func whoReadsIsASetting(_ readers: MetricsReaders, status: Int) async throws {
        var configuration = RefreshableServer.Configuration()
        configuration.metrics = readers
        let server = try await RunningServer(configuration, lists: Self.lists)
        let peer = try await HTTPClient.send(
            "GET", "http://127.0.0.1:\(server.port)/metrics", headers: ["X-Forwarded-For": "192.0.2.1"],
            timeout: .seconds(5))
        #expect(peer.status == status)
        try await server.stop()
    }
}
