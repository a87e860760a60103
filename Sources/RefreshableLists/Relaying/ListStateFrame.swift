import KeyedLists
import Pulling
import WebSockets

/// A list's state as it is sent to all who watch.
struct ListStateFrame: Sendable {
    /// Grows by one with each state of the list in this process.
    var serial: Int
    var frame: SharedFrame
    var phase: Pull.Phase
    /// The run under way.
    var run: RunID?
    /// The run under way, or else the last one.
    var heardRun: String?
    /// Rows up to here go before it, unless it says loading.
    var revision: Revision

    var isLoading: Bool { phase == .loading }
}
