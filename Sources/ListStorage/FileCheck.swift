import Foundation
import GRDB

/// The check of a whole file that was not closed cleanly. It goes on while the server starts, on a connection of its own;
/// a list that is asked for before its end waits.
final class FileCheck: @unchecked Sendable {
    private let path: String
    private let condition = NSCondition()
    // Guarded by `condition`.
    private var outcome: Result<Void, ListStoreError>?

    /// Begins the check, on a thread of its own: those that tasks share may all be waiting for it.
    ///
    /// https://www.sqlite.org/pragma.html#pragma_quick_check: all pages are read, in time linear in the size of the file.
    init(of pool: DatabasePool, path: String) {
        self.path = path
        Thread.detachNewThread { [weak pool] in
            self.end(Result { try Self.finding(in: pool) })
        }
    }

    /// Whether its end is still to come.
    var isRunning: Bool {
        condition.withLock { outcome == nil }
    }

    /// Waits for the end; throws if the file is damaged, or could not be read.
    func wait() throws(ListStoreError) {
        try waitForEnd().get()
    }

    /// Waits for the end, however it comes.
    @discardableResult
    func waitForEnd() -> Result<Void, ListStoreError> {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let outcome { return outcome }
            condition.wait()
        }
    }

    private static func finding(in pool: DatabasePool?) throws -> String {
        try pool?.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") } ?? "it can't be checked"
    }

    private func end(_ finding: Result<String, any Error>) {
        condition.lock()
        defer { condition.unlock() }
        switch finding {
        case .success("ok"): outcome = .success(())
        case .success(let reason): outcome = .failure(.corrupt(path: path, reason: reason))
        case .failure(let error): outcome = .failure(ListStoreError(error, path: path))
        }
        condition.broadcast()
    }
}
