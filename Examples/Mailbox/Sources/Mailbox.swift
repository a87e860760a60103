// A mailbox whose letters appear one by one while it is checked, with progress, and stop coming when nobody looks.
//
//     swift run --package-path Examples Mailbox [PORT]       then open http://localhost:8080 and pull
//
// What to look at: `mode(.stream)` shows each letter as it comes, those that are gone leave at the end and only if all
// went well; an error says what people read; whoever closes the page cancels the check at its next `await`.

import RefreshableLists

@main
enum Mailbox {
    static func main() async throws {
        var configuration = RefreshableServer.Configuration()
        configuration.port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8080
        let server = RefreshableServer(configuration: configuration) {
            list(of: DemoPost(clock: ContinuousClock()))
        }
        try await server.run()
    }

    /// The list. The post is a parameter, so that a test brings its own letters.
    static func list(of post: some Post) -> RefreshableList {
        RefreshableList("mailbox")
            .refreshable { run in
                let count = try await post.count()
                guard count > 0 else { throw RefreshFailure("The post office is closed.", retryAfter: .seconds(60)) }
                for number in 1...count {
                    run.yield(try await post.letter(number))
                    run.progress(number, of: count, "\(number) of \(count) letters")
                }
            }
            .mode(.stream)
            .every(.seconds(300))
            .minimumInterval(.seconds(2))
            .texts(["loading": "Checking for mail…"])
    }
}
