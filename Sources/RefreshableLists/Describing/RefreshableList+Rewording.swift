import ListSources

extension RefreshableList {
    /// The list, with other words in the errors of its source: for what must not be told.
    ///
    /// - Parameter word: the text that is told in the place of another. Called from any thread.
    package func rewording(_ word: @escaping @Sendable (String) -> String) -> Self {
        with { list in
            list.handler = list.handler?.rewording(word)
            list.initialHandler = list.initialHandler?.rewording(word)
            list.pages = list.pages.map { pages in { @Sendable last in pages(last).rewording(word) } }
        }
    }
}

extension RefreshHandler {
    fileprivate func rewording(_ word: @escaping @Sendable (String) -> String) -> RefreshHandler {
        switch self {
        case .yields(let work): .yields { run in try await Self.rewording(word) { try await work(run) } }
        case .edits(let work): .edits { run in try await Self.rewording(word) { try await work(run) } }
        case .continues(let work): .continues { run in try await Self.rewording(word) { try await work(run) } }
        case .callsBack: self
        }
    }

    private static func rewording<Result>(
        _ word: @Sendable (String) -> String, _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch var error as SourceError {
            error.message = word(error.message)
            error.detail = word(error.detail)
            throw error
        }
    }
}
