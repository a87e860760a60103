public import KeyedLists

extension RowSource {
    /// Runs the source once and gives all its rows; of a source with pages those of the first.
    ///
    /// - Throws: as `rows(into:)`.
    public func rows() async throws -> [Row] { try await rows(reportingTo: nil) }

    func rows(reportingTo run: (any RowSink)?) async throws -> [Row] {
        let sink = GatheringSink(reportingTo: run)
        try await rows(into: sink)
        return sink.rows
    }
}
