/// A source that notices by itself when its rows may be others than those it gave last.
///
/// Its list is refreshed then, if somebody watches it, and else when somebody next does.
public protocol ChangingSource: RowSource {
    /// An element for each time that rows may have changed from now on; changes that come close together are one.
    ///
    /// Called once for each list. It ends when whoever reads it stops.
    func changes() -> AsyncStream<Void>
}
