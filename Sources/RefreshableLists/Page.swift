import WebSockets

/// The page that every server serves: the files of `Public`, which are part of the binary.
enum Page {
    /// By the name under which a browser asks for them. The build names each file's bytes after the file.
    static let files: [String: [UInt8]] = [:]
}
