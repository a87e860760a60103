import ArgumentParser
import KeyedLists
import ListProtocol
import ListSources

/// `refreshable refresh URL LIST`
struct RefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Refreshes a list of a server and prints its rows.",
        discussion: """
            Starts a refresh, or joins a running one, and waits until it ends.

            Exit status: 0 if it succeeded, or was not needed so soon after the last one; 1 if it failed, timed out, was \
            cancelled or refused, or if the server can't be reached; 64 for wrong usage.
            """)

    @Argument(help: "The server's URL, such as http://localhost:8080.", completion: Completions.servers)
    var url: String

    @Argument(help: "The list's name.", completion: Completions.lists)
    var list: String

    @Flag(help: "Prints one JSON object per line and row, as `push` reads them.")
    var json = false

    @Flag(help: "Prints comma-separated values with a header line.")
    var csv = false

    @Flag(help: "Does not join a running refresh; waits for the next one.")
    var fresh = false

    @OptionGroup var trusting: TrustOptions

    @OptionGroup var shown: ShownToken

    func validate() throws {
        if json, csv { throw ValidationError("Choose one: --json or --csv.") }
    }

    func run() async throws {
        let watched = WatchedList(
            url: SocketAddress.socket(of: url), list: list, headers: shown.headers, trust: trusting.trust)
        var refreshRequest = RefreshRequest(list: list)
        var rows: [(key: Key, fields: Fields)] = []
        do {
            try await watched.run { news, replica in
                switch refreshRequest.receive(news, replica) {
                case .wait: break
                case .say(let text): Console.warn(text.clean)
                case .ask: watched.refresh(fresh: fresh ? .after : .join)
                case .end:
                    rows = replica.rows.rows.map { ($0.key, $0.fields) }
                    watched.end()
                }
            }
        } catch {
            Console.warn(
                await ServedNames.told(error, of: list, at: url, headers: shown.headers, trust: trusting.trust))
            throw ExitCode.failure
        }
        print(rows)
        if let remark = refreshRequest.remark { Console.warn(remark.clean) }
        if !refreshRequest.isFulfilled { throw ExitCode.failure }
    }

    private func print(_ rows: [(key: Key, fields: Fields)]) {
        let now = WallClock.milliseconds()
        let lines =
            json || csv
            ? (json ? RowFormatter.json : .csv).lines(rows)
            : rows.map { ShownRow($0.key, $0.fields, now: now).line }
        guard !lines.isEmpty else { return }
        let text = lines.joined(separator: "\n")
        if json { Console.tell(json: text) } else if csv { Console.tell(text) } else { Console.say(text) }
    }
}
