import Foundation
import KeyedLists
import ListProtocol
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// P4: what people are shown as loading is what the handler does, on the real clock and over real sockets.
///
/// The handler is in the server's process and reads the clock that the states are made with, so that starting a program
/// is not measured as well. The bound of 5 ms is held by the median: a machine that does something else meanwhile may
/// keep any single handler waiting for its thread. That a handler is within its loading holds for each run.
@Suite(.timeLimit(.minutes(1)))
struct IndicatorTests {
    private struct Interval {
        var begin: Double
        var end: Double
    }

    /// A state's times and durations are cut to whole milliseconds.
    private let rounding = 2.0
    private let runs = 41

    @Test(arguments: [true, false]) func loadingLastsAsLongAsTheHandlerWithin5Milliseconds(succeeds: Bool) async throws
    {
        let handled = Locked<[Interval]>([])
        let (seen, isSeen) = AsyncStream<Void>.makeStream()
        let server = try await RunningServer(lists: [
            RefreshableList("fruit").rows([]).refreshable {
                let begin = Self.date
                // As long as it takes until people are shown that it works.
                _ = await seen.first { _ in true }
                let end = Self.date
                handled.withLock { $0.append(Interval(begin: begin, end: end)) }
                if !succeeds { throw RefreshFailure("The well is dry.") }
                return [ListRow("apple", title: "\(end)")]
            }
        ])

        var shown: [Interval] = []
        for _ in 0..<runs { shown.append(try await loading(on: server) { isSeen.yield() }) }
        try await server.stop()

        let handlers = handled.withLock { $0 }
        try #require(handlers.count == runs)
        let leads = zip(shown, handlers).map { $1.begin - $0.begin }
        let lags = zip(shown, handlers).map { $0.end - $1.end }
        #expect(leads.allSatisfy { $0 >= 0 }, "Loading begins before the handler's first instruction: \(leads)")
        #expect(lags.allSatisfy { $0 >= -rounding }, "It ends after its last: \(lags)")
        #expect(median(leads) <= 5, "\(leads)")
        #expect(median(lags) <= 5, "\(lags)")
    }

    /// Refreshes once, and gives the loading that people were shown. `seen` is called once they are.
    ///
    /// A connection of its own sends no more messages than its rate allows, however fast the runs are.
    private func loading(on server: RunningServer, seen: () -> Void) async throws -> Interval {
        let client = try await server.connect()
        _ = try await client.watch("fruit")
        client.send(#"{"type":"refresh","list":"fruit","fresh":"after"}"#)
        let loading = try await client.state { $0.phase == .loading }
        seen()
        let closing = try await client.state { $0.phase == .closing }
        await client.end()
        let begin = Double(try #require(loading.startedAt))
        #expect(closing.last?.run == loading.run)
        return Interval(begin: begin, end: begin + Double(try #require(closing.last?.duration)))
    }

    /// Milliseconds since 1970, with their fractions.
    private static var date: Double { Date().timeIntervalSince1970 * 1000 }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
