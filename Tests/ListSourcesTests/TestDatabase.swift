import GRDB
import Glibc

/// A database in a folder of its own, written by another program's connection.
final class TestDatabase: Sendable {
    let path: String
    private let folder: String

    /// - Parameter script: what makes it, statement by statement.
    init(_ script: String = "", name: String = "shop.db") {
        var template = Array("/tmp/refreshable-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
        path = "\(folder)/\(name)"
        if !script.isEmpty { run(script) }
    }

    deinit {
        for ending in ["", "-wal", "-shm", "-journal", ".link"] { unlink(path + ending) }
        rmdir(path)
        rmdir(folder)
    }

    /// Opens it, writes, and closes it again.
    func run(_ script: String) { open().run(script) }

    /// Somebody who keeps it open.
    func open() -> Writer { Writer(path) }

    /// Puts bytes in its place.
    func replace(by bytes: [UInt8]) {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        _ = write(file, bytes, bytes.count)
        close(file)
    }

    final class Writer: Sendable {
        private let queue: DatabaseQueue

        init(_ path: String) {
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            configuration.busyMode = .timeout(5)
            do {
                queue = try DatabaseQueue(path: path, configuration: configuration)
            } catch {
                fatalError("\(path): \(error)")
            }
        }

        /// Outside of a transaction, unless the script begins one.
        func run(_ script: String) {
            do {
                try queue.inDatabase { try $0.execute(sql: script) }
            } catch {
                fatalError("\(script): \(error)")
            }
        }

        /// A statement for each argument, in one transaction.
        func insert(_ count: Int, _ statement: String, _ argument: (Int) -> String) {
            do {
                try queue.write { database in
                    let statement = try database.makeStatement(sql: statement)
                    for number in 0..<count { try statement.execute(arguments: [number, argument(number)]) }
                }
            } catch {
                fatalError("\(statement): \(error)")
            }
        }
    }
}
