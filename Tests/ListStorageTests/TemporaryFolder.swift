import Foundation

@testable import ListStorage
@testable import SQLiteStorage

/// A data folder that is removed with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("ListStorageTests-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("Cannot remove \(path): \(error)")
        }
    }

    var data: DataFolder { DataFolder(path: path) }

    /// Opens a store that keeps one list, does something with it, and closes it.
    @discardableResult
    func withStore<Result>(boot: String? = "boot 1", _ body: (SQLiteStore) throws -> Result) throws -> Result {
        let store = try SQLiteStore(folder: path, boot: boot)
        let result = try body(store)
        try store.close()
        return result
    }

    /// Opens a store and lets it go without closing it, as a process that is killed does.
    @discardableResult
    func withLostStore<Result>(boot: String? = "boot 1", _ body: (SQLiteStore) throws -> Result) throws -> Result {
        try body(try SQLiteStore(folder: path, boot: boot))
    }

    /// Writes a file anew from the bytes of another, as restoring a backup does.
    func copy(_ source: String, over target: String) throws {
        try Data(contentsOf: URL(fileURLWithPath: source)).write(to: URL(fileURLWithPath: target), options: [])
    }
}
