import ArgumentParser

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
            Each line is a row, {"key":"k","fields":{…}}, as `refresh --json` prints them: set where it is, or on top if it \
            is new, unless it says "before" or "after" which key, or "at" the "top" or "end". "fields":null removes it. \
            Lines are pushed as they come, many at a time where many are there; each push is done once, also where it has \
            to be tried again. The list must take pushes (`push: true`).

            Ends with status 0 when all is pushed, 1 if the server refused or was not to be reached for a while, 64 when it \
            was called wrongly, 65 if a line is no row (those before it are pushed), 66 if the file can't be read.
            """)

    @Argument(help: "Where the server is, such as http://localhost:8080.", completion: Completions.servers)
    var url: String

    @Argument(help: "The list's name.", completion: Completions.lists)
    var list: String

    @Argument(help: "A file of JSON lines; - for standard input.", completion: .file())
    var file = "-"

    @Option(help: "What the server asks for, if it does. [REFRESHABLE_PUSH_TOKEN, REFRESHABLE_TOKEN]")
    var token: String?

    @Option(help: "How many seconds a server that can't be reached is tried.")
    var patience = 30

    @OptionGroup var trusting: TrustOptions

    func run() async throws {
        let descriptor = try open()
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        let delivery = PushDelivery(
            url: "\(url.hasSuffix("/") ? String(url.dropLast()) : url)/lists/\(PercentText.encoded(list))",
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
            throw ExitCode.faultyData
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
