import ArgumentParser
import KeyedLists
import ListProtocol
import ListSources
import RefreshableListsClient

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
        let client = CommandClient.client(of: url, shown, trusting)
        let result: (rows: [ListRow], answer: WatchedList.Answer<LastRun>)
        do {
            let (name, isFresh) = (list, fresh)
            result = try await client.run { client in
                // The rows before its first state are complete then: what changes comes of the refresh.
                let list = try await client.watch(name)
                let telling = Task { await Self.tellLosses(of: list) }
                defer { telling.cancel() }
                let answer = await list.refresh(fresh: isFresh ? .after : .join)
                return (list.rows, answer)
            }
        } catch {
            Console.warn(
                await ServedNames.told(error, of: list, at: url, headers: shown.headers, trust: trusting.trust))
            throw ExitCode.failure
        }
        print(result.rows.map { ($0.key, $0.fields) })
        let (isFulfilled, remark) = Self.remark(on: result.answer, of: list)
        if let remark { Console.warn(remark.clean) }
        if !isFulfilled { throw ExitCode.failure }
    }

    private static func tellLosses(of list: WatchedList) async {
        for await update in list.updates {
            switch update {
            case .connection(.offline(let loss)): Console.warn(loss.text.clean)
            case .refused(_, let message): Console.warn("\(message) Trying again in 5 s.".clean)
            case .connection, .settings, .rows, .state, .progress, .unread: break
            }
        }
    }

    /// Whether the rows are what was asked for, and what a person should know besides.
    static func remark(on answer: WatchedList.Answer<LastRun>, of list: String) -> (isFulfilled: Bool, String?) {
        switch answer {
        case .ended(let last) where last.outcome == .success: (true, nil)
        case .ended(let last): (false, "\(list): \(last.outcome.rawValue). \(last.error?.message ?? "")")
        case .noRun(.tooSoon, let message): (true, message ?? "\(list) was refreshed a moment ago.")
        case .noRun(_, let message): (false, message ?? "The refresh was refused.")
        case .failed(let error): (false, "\(error)")
        case .withdrawn: (false, nil)
        }
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
