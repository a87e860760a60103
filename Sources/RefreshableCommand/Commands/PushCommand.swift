import ArgumentParser
import WebSockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// `refreshable push URL LIST [FILE]`
struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Pushes rows into a list of a server.",
        discussion: """
            Reads one row per line, {"key":"k","fields":{…}}, as `refresh --json` prints them. A row replaces the one with \
            the same key in place; a new row is inserted at the top. "before" or "after" with a key, or "at":"top" or \
            "at":"end", moves it elsewhere. "fields":null removes it. Rows are sent in batches as they arrive, each exactly \
            once, even if a batch has to be retried. The list must accept pushes (`push: true`).

            Exit status: 0 if all rows were pushed, 1 if the server refused or could not be reached in time, 64 for wrong \
            usage, 65 if a line is not a row (the lines before it are pushed), 66 if the file can't be read.
            """)

    @Argument(help: "The server's URL, such as http://localhost:8080.", completion: Completions.servers)
    var url: String

    @Argument(help: "The list's name.", completion: Completions.lists)
    var list: String

    @Argument(help: "A file of JSON lines; - for standard input.", completion: .file())
    var file = "-"

    @Option(help: "The push token or access token. Prefer a variable. [REFRESHABLE_PUSH_TOKEN, REFRESHABLE_TOKEN]")
    var token: String?

    @Option(help: "Seconds to keep retrying while the server can't be reached.")
    var patience = 30

    @OptionGroup var trusting: TrustOptions

    func run() async throws {
        let descriptor = try open()
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        let delivery = PushDelivery(
            url: "\(url.hasSuffix("/") ? String(url.dropLast()) : url)/lists/\(PercentEncoding.component(list))",
            token: token ?? Self.token(EnvironmentVariables.all), trust: trusting.trust, patience: .seconds(patience))
        var count = 0
        do {
            var input = PushInput(descriptor: descriptor)
            while let batch = try input.next() {
                try await delivery.deliver(batch.body)
                count += batch.count
            }
        } catch let fault as PushBatch.Fault {
            Console.warn("\(fault)")
            throw ExitCode.invalidData
        } catch {
            Console.warn("\(error)")
            throw ExitCode.failure
        }
        Console.warn("Pushed \(count) \(count == 1 ? "row" : "rows").")
    }

    private static func token(_ environment: [String: String]) -> String? {
        let found = ["REFRESHABLE_PUSH_TOKEN", "REFRESHABLE_TOKEN"].compactMap { environment[$0] }
        return found.first { !$0.isEmpty }
    }

    private func open() throws -> Int32 {
        guard file != "-" else { return STDIN_FILENO }
        let descriptor = systemOpen(file)
        guard descriptor >= 0 else {
            Console.warn("Cannot read \(file): \(String(cString: strerror(errno)).lowercased()).")
            throw ExitCode.noInput
        }
        return descriptor
    }
}

private func systemOpen(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }
