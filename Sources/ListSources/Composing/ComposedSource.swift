public import KeyedLists

/// A source that is made of others: what `map`, `filter`, `joining` and the like give.
///
/// It notices changes if one of those does, and has pages as each of these operations says.
public struct ComposedSource: ChangingSource, PagedSource {
    typealias Rows = @Sendable (any RowSink) async throws -> Void
    typealias Page = @Sendable (Row) async throws -> MorePage

    private let run: Rows
    private let page: Page?
    private let changing: [any ChangingSource]

    /// - Parameters:
    ///   - sources: those whose changes it follows.
    ///   - page: nil: it comes in one piece.
    init(_ sources: [any RowSource], run: @escaping Rows, page: Page? = nil) {
        self.run = run
        self.page = page
        changing = sources.compactMap { $0 as? any ChangingSource }
    }

    /// Whether one of its sources has pages that it hands on.
    public var hasPages: Bool { page != nil }

    /// Runs what it is made of.
    ///
    /// - Throws: what that throws, and what its own closures do.
    public func rows(into run: any RowSink) async throws { try await self.run(run) }

    /// Asks the source that has pages for the one that follows.
    public func rows(after last: Row) async throws -> MorePage {
        guard let page else { return MorePage([], isLast: true) }
        return try await page(last)
    }

    /// Tells when one of its sources does. Where none can, it ends at once.
    public func changes() -> AsyncStream<Void> {
        let streams = changing.map { $0.changes() }
        let (changes, teller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let following = Task {
            await withTaskGroup(of: Void.self) { group in
                for stream in streams {
                    group.addTask { for await change in stream { teller.yield(change) } }
                }
            }
            teller.finish()
        }
        teller.onTermination = { _ in following.cancel() }
        return changes
    }
}
