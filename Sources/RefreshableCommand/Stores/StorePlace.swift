import ListStorage
import PostgresSources
import PostgresStorage
import SQLiteStorage

/// Where lists are stored, as people name it.
enum StorePlace: Hashable {
    /// A data folder.
    case folder(String)
    /// The URL of a PostgreSQL database.
    case database(String)

    /// What people have named can be no place. The text is not repeated: it may have a password.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    init(_ text: String) throws(Fault) {
        guard text.contains("://") else {
            guard !text.isEmpty else { throw Fault(description: "The name of a data folder is empty.") }
            self = .folder(text)
            return
        }
        if let fault = PostgresSource.fault(inURL: text) {
            throw Fault(
                description: "Expected a data folder, or a URL such as postgres://user@host:5432/database (\(fault)).")
        }
        self = .database(text)
    }

    /// Opens what is there for reading.
    ///
    /// - Parameter isAlone: whether a data folder that a server uses is refused. A database may be in use.
    func reader(isAlone: Bool) async throws(ListStoreError) -> any StoreReader {
        switch self {
        case .folder(let path): try SQLiteStoreReader(folder: path, isAlone: isAlone)
        case .database(let url): try await PostgresStoreReader(url)
        }
    }
}

extension ListStoreError {
    /// The same, for who is no server.
    var told: String {
        switch self {
        case .unavailable(let path, let reason): "Cannot reach \(path): \(reason)."
        default: "\(self)"
        }
    }
}
