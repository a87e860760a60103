import ArgumentParser

/// `refreshable token NAME`
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Creates an access token and its entry for the tokens file.",
        discussion: """
            Prints an entry for the tokens file to standard output; the entry holds a hash, not the token. Prints the token \
            itself to standard error, this once:

              refreshable token kitchen --read '*' --refresh fruit >> tokens.yaml

            A server that is started with the file (`serve --tokens tokens.yaml`) rejects clients without a token, and \
            reloads the file when it changes. By default a token may read and refresh every list.

            For completion in editors, write `refreshable token --schema > tokens.schema.json` beside the file and begin it \
            with

              # yaml-language-server: $schema=./tokens.schema.json

            Exit status: 0 on success, 64 for wrong usage.
            """)

    @Argument(help: "The name of the token in logs and messages.")
    var name: String?

    @Option(help: "A list that it may read, or '*' for all; repeatable.")
    var read: [String] = []

    @Option(help: "A list that it may refresh, or '*'; repeatable.")
    var refresh: [String] = []

    @Option(help: "A list on whose rows it may act, or '*'; repeatable.")
    var act: [String] = []

    @Option(help: "A list that it may push to, or '*'; repeatable.")
    var push: [String] = []

    @Option(help: "The date or time at which it expires, such as 2027-01-31.")
    var expires: String?

    @Flag(name: .customLong("schema"), help: "Prints the schema of the tokens file; creates no token.")
    var isSchemaWanted = false

    func validate() throws {
        if isSchemaWanted { return }
        guard name != nil else { throw ValidationError("A token needs a name: `refreshable token kitchen`.") }
        do {
            _ = try TokenSettings(reading: entry.text(secret: SecretText.random()), file: "token")
        } catch {
            let lines = error.faults.map { "\($0.field): expected \($0.expected), got \($0.came)." }
            throw ValidationError(lines.joined(separator: "\n"))
        }
    }

    func run() {
        if isSchemaWanted { return Console.say(String(decoding: PackageResources.tokens_schema_json, as: UTF8.self)) }
        let secret = SecretText.random()
        Console.say(entry.text(secret: secret))
        Console.warn("The token, which is not shown again: \(secret)")
    }

    private var entry: TokenEntry {
        TokenEntry(name: name ?? "", read: read, refresh: refresh, act: act, push: push, expires: expires)
    }
}
