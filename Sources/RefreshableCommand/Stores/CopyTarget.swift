import ListStorage
import PostgresStorage
import SQLiteStorage

/// A store that lists are copied to, which no server uses.
struct CopyTarget {
    let store: any ListStore
    /// Reads what is there; nil: the store does.
    let reader: (any StoreReader)?
    /// Without a password.
    let path: String

    /// Opens the store, and makes one where there is none.
    ///
    /// - Throws: `ListStoreError`; where a server uses it, too.
    init(_ place: StorePlace) async throws(ListStoreError) {
        switch place {
        case .folder(let folder):
            (store, reader, path) = (try SQLiteStore(folder: folder), nil, folder)
        case .database(let url):
            let store = try PostgresStore(url)
            do throws(ListStoreError) {
                try Self.refuse(servers: try store.otherServers(), PostgresStore.shown(url))
                reader = try await PostgresStoreReader(url)
            } catch {
                try store.close()
                throw error
            }
            (self.store, path) = (store, PostgresStore.shown(url))
        }
    }

    /// Ends the use of the store, so that the next server can trust it.
    func close() async throws(ListStoreError) {
        await reader?.close()
        try store.close()
    }

    private static func refuse(servers: [String], _ path: String) throws(ListStoreError) {
        guard !servers.isEmpty else { return }
        let (who, them) = servers.count == 1 ? ("a server uses it", "it") : ("\(servers.count) servers use it", "them")
        throw .unsuitable(path: path, reason: "\(who) (\(servers.joined(separator: ", "))). Stop \(them) first.")
    }
}
