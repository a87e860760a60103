import CLibuv
import CLibwebsockets

/// Reads a folder's files into memory: opendir(3), realpath(3), read(2).
struct FolderReader {
    private let folder: String
    /// The folder without links; everything read is below it.
    private let root: String
    /// Bytes of all files together: a page, not an archive.
    private static let limit = 64 * 1024 * 1024

    init(_ folder: String) throws(SocketError) {
        guard let root = Self.real(folder) else {
            throw .cannotReadFiles(folder: folder, reason: String(cString: strerror(shim_errno())))
        }
        self.folder = folder
        self.root = root
    }

    func read() throws(SocketError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var size = 0
        try read("", depth: 0, into: &files, size: &size)
        return files
    }

    private func read(
        _ prefix: String, depth: Int, into files: inout [String: [UInt8]], size: inout Int
    ) throws(SocketError) {
        guard depth < 16 else { throw failure("its folders are nested more than 16 deep, or a link leads round") }
        for entry in try entries(of: root + "/" + prefix) {
            let name = prefix + entry
            guard let path = Self.real(root + "/" + name), path.hasPrefix(root + "/") else { continue }
            if Self.isFolder(path) {
                try read(name + "/", depth: depth + 1, into: &files, size: &size)
            } else if let bytes = try contents(of: path) {
                size += bytes.count
                guard size <= Self.limit else { throw failure("it holds more than \(Self.limit >> 20) MiB") }
                files[name] = bytes
            }
        }
    }

    private func entries(of path: String) throws(SocketError) -> [String] {
        guard let stream = opendir(path) else { throw failure(String(cString: strerror(shim_errno()))) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// nil for what is no regular file.
    private func contents(of path: String) throws(SocketError) -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0, Self.kind(status) == S_IFREG else { return nil }
        guard status.st_size <= Self.limit else { throw failure("\(path) is larger than \(Self.limit >> 20) MiB") }
        let descriptor = shim_open(path)
        guard descriptor >= 0 else { throw failure("\(path): \(String(cString: strerror(shim_errno())))") }
        defer { close(descriptor) }
        let size = Int(status.st_size)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let more = CLibwebsockets.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
                guard more > 0 else { break }
                count += more
            }
        }
    }

    private func failure(_ reason: String) -> SocketError { .cannotReadFiles(folder: folder, reason: reason) }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && kind(status) == S_IFDIR
    }

    private static func kind(_ status: stat) -> Int32 { Int32(bitPattern: status.st_mode) & S_IFMT }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
