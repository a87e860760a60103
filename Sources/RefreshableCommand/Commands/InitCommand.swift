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
        abstract: "Writes a settings file that works and explains itself.",
        discussion: """
            Beside it lists.schema.json is written, by which editors complete and check it. Ends with status 0, or 73 if \
            it can't be written, or is there already.
            """)

    /// Beside the settings, as their first line says.
    private static let schema = "lists.schema.json"

    @Argument(help: "The file.")
    var file = "lists.yaml"

    @Flag(help: "Replaces the file, if it is there.")
    var force = false

    func run() throws {
        if !force, TextFile.exists(file) {
            Console.warn("\(file) is there already, and stays as it is. Name another file, or replace it with --force.")
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
