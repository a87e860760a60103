import ArgumentParser
import WebSockets

/// Which servers that speak TLS a command believes.
struct TrustOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: """
            With https: a PEM file of the authorities that are trusted, instead of the system's. [REFRESHABLE_CA_FILE]
            """, completion: .file(extensions: ["pem", "crt"]))
    var authorities: String?

    @Flag(help: "With https: don't check who the server is. Anybody on the way can then read and change everything.")
    var insecure = false

    func validate() throws {
        if authorities != nil, insecure { throw ValidationError("Choose one: --ca-file or --insecure.") }
    }

    var trust: ServerTrust {
        var trust = ServerTrust()
        trust.authorities = insecure ? nil : authorities ?? EnvironmentVariables.all["REFRESHABLE_CA_FILE"]
        trust.isChecked = !insecure
        trust.hint =
            "Name a file with its authority by --ca-file, or, if nothing is at stake, leave the check out by --insecure"
        return trust
    }
}
