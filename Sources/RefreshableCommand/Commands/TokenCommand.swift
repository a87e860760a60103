import ArgumentParser

/// `refreshable token NAME`
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes a token that allows something with lists.",
        discussion: """
            Prints the entry for the file of tokens, which does not tell the token, and the token itself to standard error, \
            this once:

              refreshable token kitchen --read '*' --refresh fruit >> tokens.yaml

            A server that is given the file (`serve --tokens tokens.yaml`) lets nobody in without a token; it reads the file \
            again when it changes. Without an option the token allows to read and refresh every list. Editors complete and \
            check the file by a schema: `refreshable token --schema > tokens.schema.json` beside it, and as its first line

              # yaml-language-server: $schema=./tokens.schema.json

            Ends with status 0, or with 64 when it was called wrongly.
            """)

    @Argument(help: "What to call it: in logs, and where it is told what it does not allow.")
    var name: String?

    @Option(help: "A list that it allows to read, or '*' for all; again for more.")
    var read: [String] = []

    @Option(help: "A list that it allows to refresh, or '*'; again for more.")
    var refresh: [String] = []

    @Option(help: "A list that it allows to push to, or '*'; again for more.")
    var push: [String] = []

    @Option(help: "A day or a time from which on it is worth nothing, such as 2027-01-31.")
    var expires: String?

    @Flag(name: .customLong("schema"), help: "Prints the schema of the file of tokens, and makes no token.")
    var isSchemaWanted = false

    func validate() throws {
        if isSchemaWanted { return }
        guard name != nil else { throw ValidationError("A token needs a name: `refreshable token kitchen`.") }
        do {
            _ = try TokenSettings(reading: entry.text(secret: SecretText.random()), file: "token")
        } catch {
            let lines = error.faults.map { "\($0.field): expected \($0.expected), came \($0.came)." }
            throw ValidationError(lines.joined(separator: "\n"))
        }
    }

    func run() {
        if isSchemaWanted { return Console.say(String(decoding: PackageResources.tokens_schema_json, as: UTF8.self)) }
        let secret = SecretText.random()
        Console.say(entry.text(secret: secret))
        Console.warn("The token, which nobody can tell again: \(secret)")
    }

    private var entry: TokenEntry {
        TokenEntry(name: name ?? "", read: read, refresh: refresh, push: push, expires: expires)
    }
}
