/// A set of files served from memory: read once, compressed once.
///
/// Nothing outside the set can be named, whatever a path holds: a request looks a name up in a table. Each file is
/// revalidated by a strong ETag, so that a changed page shows at the next visit.
public struct StaticFiles: Sendable {
    private let files: [String: StaticFile]

    /// Files by name, such as `index.html` or `images/logo.svg`.
    public init(files: [String: [UInt8]]) {
        self.files = Dictionary(uniqueKeysWithValues: files.map { ($0.key, StaticFile(name: $0.key, bytes: $0.value)) })
    }

    /// The files of a folder and of the folders in it, as they are now. Names that begin with a dot are left out, and so
    /// is what a symbolic link shows outside of the folder.
    public init(folder: String) throws(SocketError) {
        self.init(files: try FolderReader(folder).read())
    }

    /// The names, in order.
    public var names: [String] { files.keys.sorted() }

    /// The answer to GET or HEAD for one of the files; `/` and `…/` are `index.html`. nil: not one of them, or another
    /// method.
    public func response(to request: HTTPRequest) -> HTTPResponse? {
        guard request.method == "GET" || request.method == "HEAD", request.path.hasPrefix("/") else { return nil }
        var name = String(request.path.dropFirst())
        if name.isEmpty || name.hasSuffix("/") { name += "index.html" }
        return files[name]?.response(to: request.headers)
    }
}
