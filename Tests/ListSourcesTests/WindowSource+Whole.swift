import KeyedLists

@testable import ListSources

extension WindowSource {
    /// A window once all of what is looked for was found.
    func whole(_ window: Window, of query: RowQuery) async throws -> WindowRows? {
        while true {
            let read = try await rows(in: window, of: query)
            if read?.isSearching != true { return read }
        }
    }
}
