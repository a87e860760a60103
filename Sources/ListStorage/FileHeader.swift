import Foundation

/// The first bytes of a database file, read without SQLite: a file that is not ours is refused before anything of it, or
/// beside it, is touched.
///
/// https://www.sqlite.org/fileformat.html#the_database_header
struct FileHeader {
    private let bytes: [UInt8]

    /// Reads the header; nil if there is no file, or an empty one.
    init?(of path: String) throws(ListStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw ListStoreError(errno, path: path)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw ListStoreError(errno, path: path) }
        if count == 0 { return nil }
        self.bytes = Array(bytes[..<count])
    }

    /// Throws if the file is no database, one of another program, or one of a later version. What a log still holds, SQLite
    /// tells afterwards.
    func check(path: String) throws(ListStoreError) {
        guard bytes.count == 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw .notAStore(path: path, reason: "it is not a database")
        }
        guard number(at: 68) == Schema.application else {
            // The schema cookie: without one no table was ever made here, as when we ended while creating the file.
            guard number(at: 40) == 0 else { throw .anotherProgram(path: path) }
            return
        }
        let version = number(at: 60)
        guard version <= Schema.version else {
            throw .newerVersion(path: path, found: version, known: Schema.version)
        }
    }

    private func number(at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
