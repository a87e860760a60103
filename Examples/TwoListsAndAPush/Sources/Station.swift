// A station's board: departures that people refresh, and notices that other programs push.
//
//     swift run --package-path Examples TwoListsAndAPush [PORT]       then open http://localhost:8080
//     Examples/TwoListsAndAPush/push snow "Snow on the line"          and see it there at once
//
// The server's own code edits a list, too: when a refresh of the departures fails, a notice says so until one succeeds.

import RefreshableLists

@main
enum Station {
    static func main() async throws {
        var configuration = RefreshableServer.Configuration()
        configuration.port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8080
        let timetable = Timetable()
        let server = RefreshableServer(configuration: configuration) {
            departures(from: timetable)
            notices()
        }
        async let watching: Void = watch(server["departures"], noting: server["notices"])
        try await server.run()
        try await watching
    }

    /// Follows the departures' runs for as long as the server serves.
    private static func watch(_ departures: LiveList?, noting notices: LiveList?) async throws {
        guard let departures, let notices else { return }
        for await run in departures.outcomes { try await note(run, on: notices) }
    }
}
