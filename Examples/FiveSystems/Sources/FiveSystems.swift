// The five ways to pull that this project grew from, a file for each: read the one that is like yours, and copy it.
//
//     Hours      a recipe's list: pull past 50 px and come back; work that is awaited, and work that calls back
//     Names      a circle that fills: starts at 100 px, finger still down; an edit that follows
//     Fruit      async and await: the indicator lasts exactly as long as the call
//     Classic    "Release to refresh", with the time of the last one; a refusal with a reason
//     Letters    an action that buttons and code share; a list without one
//
//     swift run --package-path Examples FiveSystems [PORT]

import RefreshableLists

@main
enum FiveSystems {
    static func main() async throws {
        var configuration = RefreshableServer.Configuration()
        configuration.port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8080
        try await RefreshableServer(lists: lists(ContinuousClock()), configuration: configuration).run()
    }

    /// All lists. Time is a parameter, so that a test of three seconds takes none.
    static func lists(_ clock: any Clock<Duration>) -> [RefreshableList] {
        [
            hours(clock), calledBackHours(clock), names(clock), fruit(clock), classic(clock), letters(clock),
            drafts(),
        ]
    }
}
