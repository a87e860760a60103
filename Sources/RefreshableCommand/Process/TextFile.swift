import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads whole text files.
enum TextFile {
    /// Why a file can't be read, as the system puts it.
    struct Unreadable: Error, Hashable, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "Cannot read \(path): \(reason)." }
    }

    /// More is no settings file and no script.
    private static let limit = 4 << 20

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The text of a file.
    static func read(_ path: String) throws(Unreadable) -> String {
        guard let file = fopen(path, "re") else { throw failure(path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 {
            bytes += piece[..<count]
            guard bytes.count <= limit else { throw Unreadable(path: path, reason: "it is larger than 4 MiB") }
        }
        guard ferror(file) == 0 else { throw failure(path) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Unreadable(path: path, reason: "it is not UTF-8 text")
        }
        return text
    }

    /// The folder that a file is in, as a path from the root.
    static func folder(of path: String) -> String {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard let resolved = realpath(folder.isEmpty ? "/" : folder, nil) else { return folder.isEmpty ? "/" : folder }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func failure(_ path: String) -> Unreadable {
        Unreadable(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
}

/// What is typed, or comes through a pipe.
enum StandardInput {
    /// Its lines, read on a thread of its own, until it ends. For one reader.
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue(label: "standard input").async {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
