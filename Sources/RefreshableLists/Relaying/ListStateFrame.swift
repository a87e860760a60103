import KeyedLists
import ListProtocol
import Pulling
import WebSockets

/// A list's state as it is sent to all who watch.
struct ListStateFrame: Sendable {
    /// What gestures are told of a state. A page being loaded is nothing to them: they pull on the other end of the list.
    struct Told: Hashable, Sendable {
        var phase: Pull.Phase
        /// The refresh under way, or else the last one.
        var run: String?
    }

    /// Grows by one with each state of the list in this process.
    var serial: Int
    var frame: SharedFrame
    var phase: Pull.Phase
    /// The run under way.
    var run: RunID?
    var told: Told
    /// Rows up to here go before it: all that there are, or, while it says loading, those from before the run.
    var revision: Revision

    var isLoading: Bool { phase == .loading }
}

extension ListStateFrame.Told {
    /// - Parameter refresh: the newest run that is one.
    init(_ state: ListState, refresh: RunID?) {
        let isPage = state.phase == .loading ? state.cause == .more : state.last?.cause == .more
        phase = isPage ? .waiting : Pull.Phase(rawValue: state.phase.rawValue) ?? .waiting
        run = refresh?.description
    }
}
