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
