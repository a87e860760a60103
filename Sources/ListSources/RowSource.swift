/// Where the rows of a list come from: a command, a demo, or a type of your own.
///
/// ```
///   a run begins ──▶ rows(into: run) ──▶ run.yield(rows) … run.progress(…) … ──▶ returns: success
///                                                                             └─▶ throws:  failure, old rows stay
/// ```
public protocol RowSource: Sendable {
    /// Produces the rows of one run, in the order in which the list shows them.
    ///
    /// Yield each as soon as it is known: a list in `stream` mode shows it while the run goes on. The run lasts as long
    /// as this function; what a task started here yields after it returned is rejected. Heed cancellation: nobody
    /// waits for the rows any more, or the deadline has passed.
    ///
    /// - Throws: `SourceError`, whose text people see; any other error is logged and shown as a plain failure.
    func rows(into run: any RowSink) async throws
}
