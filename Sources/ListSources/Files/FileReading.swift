#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads a file whole, or not at all.
struct FileReading {
    enum Attempt: Hashable {
        case whole([UInt8])
        /// Somebody writes it, or did while it was read.
        case isBeingWritten
    }

    let path: String
    /// The most that is read, in bytes.
    let limit: Int
    /// Whether it is a file that others add lines to all the time: then what is there is whole up to its last line.
    let grows: Bool

    /// Tries once.
    func attempt() throws(SourceError) -> Attempt {
        // Without O_NONBLOCK, a pipe would be waited for.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw failure("can't be opened", errno) }
        defer { close(file) }
        let stamp = try check(file)
        guard grows || !isBeingWritten(file, stamp) else { return .isBeingWritten }
        let bytes = try bytes(of: file, expected: Int(stamp.size))
        if grows { return .whole(Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)])) }
        let isUntouched = FileStamp(file: file) == stamp && !isBeingWritten(file, stamp)
        return isUntouched ? .whole(bytes) : .isBeingWritten
    }

    private func check(_ file: Int32) throws(SourceError) -> FileStamp {
        guard let stamp = FileStamp(file: file) else { throw failure("can't be looked at", errno) }
        if stamp.isFolder {
            throw SourceError(message: "What should be a file is a folder.", detail: "It is \(path).")
        }
        guard stamp.isRegular else {
            throw SourceError(
                message: "What should be a file is none.",
                detail: "\(path) is a pipe or a device. A command can read it: cat \(path)")
        }
        guard stamp.size <= limit else { throw tooLarge }
        return stamp
    }

    private func isBeingWritten(_ file: Int32, _ stamp: FileStamp) -> Bool {
        FileWriters.of(file).mayBeWriting(modified: stamp.modified, now: WallClock.milliseconds() * 1_000_000)
    }

    private func bytes(of file: Int32, expected: Int) throws(SourceError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expected)
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = piece.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw failure("can't be read", errno)
            }
            bytes.append(contentsOf: piece[..<count])
            guard bytes.count <= limit else { throw tooLarge }
        }
    }

    private var tooLarge: SourceError {
        SourceError(message: "The file is larger than \(ByteCount.text(limit)).", detail: "It is \(path).")
    }

    private func failure(_ problem: String, _ code: Int32) -> SourceError {
        let detail = "Cannot read \(path): \(String(cString: strerror(code)).lowercased())."
        return switch code {
        case ENOENT, ENOTDIR: SourceError(message: "The file is not there.", detail: detail)
        case EACCES, EPERM:
            SourceError(
                message: "The file may not be read.",
                detail: "\(detail) Let the user read it whom the server runs as.")
        case ELOOP: SourceError(message: "The file is a link that leads in a circle.", detail: detail)
        default: SourceError(message: "The file \(problem).", detail: detail)
        }
    }
}
