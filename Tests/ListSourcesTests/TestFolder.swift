import Glibc

/// A folder of its own for a test, removed with it.
final class TestFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/refreshable-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    deinit {
        for name in ["", ".next", "2"] { unlink("\(path)/rows.csv\(name)") }
        rmdir("\(path)/rows.csv")
        rmdir(path)
    }

    var file: String { "\(path)/rows.csv" }

    /// Writes a file in one go, as most programs do.
    func write(_ text: String, to name: String = "rows.csv") {
        let writer = Writer("\(path)/\(name)")
        writer.write(text)
        writer.close()
    }

    /// Writes a file beside it and renames it into its place.
    func replace(_ text: String) {
        write(text, to: "rows.csv.next")
        rename("\(path)/rows.csv.next", file)
    }

    /// Somebody who writes a file, and takes time for it.
    struct Writer {
        private let descriptor: Int32

        init(_ path: String, appends: Bool = false) {
            descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? O_APPEND : O_TRUNC), 0o644)
        }

        func write(_ text: String) { _ = Glibc.write(descriptor, text, text.utf8.count) }

        func close() { Glibc.close(descriptor) }
    }
}
