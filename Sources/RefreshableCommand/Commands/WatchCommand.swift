import ArgumentParser
import ListSources
import RefreshableListsClient

/// `refreshable watch URL [LIST]`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows a list live, as it changes.",
        discussion: """
            A terminal shows the list itself: r refreshes, c cancels a refresh, arrow keys scroll, / finds words, q quits. \
            Elsewhere, and on a dumb terminal (TERM=dumb), each change is printed as a line. NO_COLOR is respected.

            Exit status: 0 when it is stopped, 1 if the server can't be reached or does not show the list, 64 for wrong \
            usage.
            """)

    @Argument(help: "The server's URL, such as http://localhost:8080.", completion: Completions.servers)
    var url: String

    @Argument(help: "The list's name; optional if the server has only one.", completion: Completions.lists)
    var list: String?

    @Flag(help: "Prints each change as a line of JSON.")
    var json = false

    @OptionGroup var trusting: TrustOptions

    @OptionGroup var shown: ShownToken

    func run() async throws {
        do {
            let name = try await name()
            let client = CommandClient.client(of: url, shown, trusting)
            let isDrawn = !json && Terminal.isDrawable(EnvironmentVariables.value(of: "TERM"))
            let isJSON = json
            let watching = Task {
                try await client.run { client in
                    guard isDrawn else { return try await Self.log(client.list(name), isJSON: isJSON) }
                    // A screen shows some rows; of a long list, no others need to come.
                    let view = ViewRequest(.first(0, count: DrawnList.rowsAtOnce))
                    try await Self.draw(client.list(name, at: view))
                }
            }
            StopSignals.onFirst { watching.cancel() }
            try await watching.value
        } catch let code as ExitCode {
            throw code
        } catch {
            let told = await ServedNames.told(
                error, of: list ?? "", at: url, headers: shown.headers, trust: trusting.trust)
            Console.warn(told)
            throw ExitCode.failure
        }
    }

    private static func draw(_ list: WatchedList) async throws {
        let isColoured = EnvironmentVariables.value(of: "NO_COLOR").map(\.isEmpty) ?? true
        try await TerminalWatch(list: list, isColoured: isColoured).run()
    }

    private static func log(_ list: WatchedList, isJSON: Bool) async throws {
        var log = WatchLog(isJSON: isJSON)
        for await update in list.updates {
            try update.throwRefusal()
            for line in log.lines(update, now: WallClock.milliseconds()) {
                if isJSON { Console.tell(json: line) } else { Console.say(line) }
            }
        }
    }

    private func name() async throws -> String {
        if let list { return list }
        let names = try await ServedNames.of(url, headers: shown.headers, trust: trusting.trust)
        if let name = names.first, names.count == 1 { return name }
        Console.warn(
            names.isEmpty ? "\(url) serves no lists." : "Which list? \(url) serves \(names.joined(separator: ", ")).")
        throw ExitCode.validationFailure
    }
}
