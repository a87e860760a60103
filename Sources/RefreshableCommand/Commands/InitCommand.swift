import ArgumentParser

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// `refreshable init [FILE]`
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes an example settings file, with comments.",
        discussion: """
            Also writes lists.schema.json beside it, with which editors complete and validate the settings.

            Exit status: 0 on success, 73 if a file can't be written or exists already.
            """)

    /// Beside the settings, where their first line refers to it.
    private static let schema = "lists.schema.json"

    @Argument(help: "The file to write.")
    var file = "lists.yaml"

    @Flag(help: "Replaces an existing file.")
    var force = false

    func run() throws {
        if !force, TextFile.exists(file) {
            Console.warn("\(file) exists already and was not changed. Name another file, or replace it with --force.")
            throw ExitCode.cannotCreate
        }
        let schema = "\(TextFile.folder(of: file))/\(Self.schema)"
        try write(PackageResources.init_yaml, to: file, isNew: !force)
        try write(PackageResources.lists_schema_json, to: schema, isNew: false)
        let name = file == "lists.yaml" ? "" : " \(file)"
        Console.say(
            """
            Wrote \(file), and \(Self.schema) beside it for your editor. Now:

                refreshable serve\(name)
            """)
    }

    /// - Parameter isNew: whether one that is there meanwhile is a failure.
    private func write(_ bytes: [UInt8], to path: String, isNew: Bool) throws {
        let file = fopen(path, isNew ? "wxe" : "we")
        let isWritten = file.map { fwrite(bytes, 1, bytes.count, $0) == bytes.count } ?? false
        let isClosed = file.map { fclose($0) == 0 } ?? false
        guard isWritten, isClosed else {
            Console.warn("Cannot write \(path): \(String(cString: strerror(errno)).lowercased()).")
            throw ExitCode.cannotCreate
        }
    }
}
