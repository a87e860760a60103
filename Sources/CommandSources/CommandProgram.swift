import ListSources

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The program of a command, and whether it can be found before a process is made for it.
struct CommandProgram {
    /// Its name and its arguments.
    let words: [String]
    private let source: CommandSource

    init(_ source: CommandSource) {
        self.source = source
        words =
            switch source.command {
            case .shell(let line): ["/bin/sh", "-c", line]
            case .arguments(let arguments): arguments
            }
    }

    /// As its errors call it.
    var name: String { words.first ?? "" }

    /// - Throws: `SourceError` if there is no such program. A shell would say so too, but only with a status that any
    ///   program may end with.
    func check() throws(SourceError) {
        let places = places
        guard !places.contains(where: { access($0, X_OK) == 0 && !Self.isFolder($0) }) else { return }
        // That the folder can't be entered is told by who starts the process.
        if let folder = source.workingFolder, access(folder, X_OK) != 0 { return }
        if let place = places.first(where: { access($0, F_OK) == 0 }) {
            throw SourceError(
                message: "The command “\(name)” may not be executed.",
                detail: Self.isFolder(place) ? "\(place) is a folder." : "Allow it: chmod +x \(place)"
            ).coded("commandMissing")
        }
        let detail =
            name.contains("/")
            ? "Not found at \(places.joined()). Name another path, or a program in PATH."
            : "It is not in PATH. Install it, or give its full path."
        throw SourceError(message: "The command “\(name)” was not found.", detail: detail).coded("commandMissing")
    }

    /// Where it may be.
    private var places: [String] {
        guard !name.utf8.contains(UInt8(ascii: "/")) else {
            guard let folder = source.workingFolder, !name.hasPrefix("/") else { return [name] }
            return ["\(folder)/\(name)"]
        }
        let path = source.environment["PATH"] ?? getenv("PATH").map { String(cString: $0) } ?? ""
        return name.isEmpty ? [] : path.split(separator: ":").map { "\($0)/\(name)" }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
