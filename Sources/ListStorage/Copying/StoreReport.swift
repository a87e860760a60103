import KeyedLists

/// Reads what a store has, and changes nothing in it: for who checks it or copies it.
///
/// Each list is read at one moment, with a look at every checksum. From one task at a time.
package protocol StoreReader: Sendable {
    /// Where it is: a path, or a URL without its password.
    var path: String { get }

    /// The names of all lists. One that can't be read is empty.
    func names() async throws(ListStoreError) -> [String]

    /// Reads a list; nil where there is none of that name.
    ///
    /// - Throws: `ListStoreError.damaged`, which names the first line that is not as it was written.
    func read(_ list: String) async throws(ListStoreError) -> StoredList?

    /// What is damaged and belongs to no list.
    func strays() async throws(ListStoreError) -> [ListStoreError]

    /// Ends it, once.
    func close() async
}

/// What is damaged in a whole store.
package struct StoreReport: Sendable {
    /// One list of it.
    package struct List: Sendable {
        /// As it is in the store.
        package let name: String
        /// How many rows it has; or why it can't be read.
        package let rows: Result<Int, ListStoreError>
    }

    /// The store that was looked through.
    package let path: String
    /// In the order of the store.
    package private(set) var lists: [List] = []
    /// Why some rows of a table can't be assigned to a list.
    package let strays: [ListStoreError]

    /// How much is not as it was written.
    package var faultCount: Int { strays.count + lists.count { $0.isDamaged } }

    /// Reads every line of a store, and holds it to its checksum; one list at a time is in memory.
    ///
    /// - Throws: where the store can't be read at all.
    package init(of reader: some StoreReader) async throws(ListStoreError) {
        path = reader.path
        for name in try await reader.names() {
            do {
                guard let rows = try await reader.read(name)?.list.count else { continue }
                lists.append(List(name: name, rows: .success(rows)))
            } catch {
                guard error.isOfOneList else { throw error }
                lists.append(List(name: name, rows: .failure(error)))
            }
        }
        strays = try await reader.strays()
    }
}

extension StoreReport.List {
    fileprivate var isDamaged: Bool {
        switch rows {
        case .success: false
        case .failure: true
        }
    }
}

extension ListStoreError {
    /// Whether other lists of the store may be sound, and can be tried.
    package var isOfOneList: Bool {
        switch self {
        case .damaged, .corrupt, .failed: true
        default: false
        }
    }
}
