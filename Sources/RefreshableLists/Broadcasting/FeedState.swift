import KeyedLists
import ListProtocol
import Pulling
import WebSockets

/// What one loop knows of a list: its recent rows, its newest state, and how far its run is. What anybody is to be sent
/// next follows from these and a place. Pure.
struct FeedState: Sendable {
    /// What comes next after a place.
    enum Step {
        case frame(SharedFrame, WatchPosition)
        /// Rows in several frames, to be sent next to each other.
        case batch(FrameBatch)
        /// Rows since a revision that is too far back: the list is to be asked for a fold.
        case fold(since: Revision)
        case nothing
    }

    private(set) var ring: FrameRing
    private(set) var states = ListStates()
    private(set) var progress: ProgressFrame?

    init(ring: FrameRing = FrameRing()) { self.ring = ring }

    /// Takes over what a feed brought.
    mutating func append(_ contents: LoopFeed.Contents) {
        ring.append(contents.ring)
        states.append(contents.states)
        if let progress = contents.progress { self.progress = progress }
    }

    /// Loading goes before the rows of its run, closing and waiting after them, and progress comes last.
    func step(from place: WatchPosition) -> Step {
        // The rows of an earlier run go before the beginning of the next, which says that the earlier one is over.
        if let loading = states.loading, loading.serial > place.state,
            loading.revision <= place.revision || place.revision >= ring.revision
        {
            return step(loading, place)
        }
        if place.revision < ring.revision { return rows(from: place) }
        if let state = states.newest, state.serial > place.state, state.revision <= place.revision {
            return step(state, place)
        }
        guard let progress, progress.serial > place.progress, progress.run == states.newest?.run else {
            return .nothing
        }
        return .frame(
            progress.frame, WatchPosition(revision: place.revision, state: place.state, progress: progress.serial))
    }

    /// All steps from a place on that are single frames.
    func catchUp(from start: WatchPosition) -> CatchUp {
        var catchUp = CatchUp(start: start)
        var place = start
        while true {
            switch step(from: place) {
            case .frame(let frame, let next):
                catchUp.steps.append(.init(frame: frame, place: next))
                place = next
            case .batch, .fold:
                catchUp.isWhole = false
                return catchUp
            case .nothing: return catchUp
            }
        }
    }

    private func step(_ state: ListStateFrame, _ place: WatchPosition) -> Step {
        .frame(state.frame, WatchPosition(revision: place.revision, state: state.serial, progress: place.progress))
    }

    private func rows(from place: WatchPosition) -> Step {
        guard let batch = ring.batch(from: place.revision) else { return .fold(since: place.revision) }
        guard batch.frames.count == 1 else { return .batch(batch) }
        return .frame(
            batch.frames[0], WatchPosition(revision: batch.revision, state: place.state, progress: place.progress))
    }
}

/// The frames that lead from a place to a list's newest, each with the place that it leads to.
///
/// Found once for all who are at the same place, so that a broadcast decides nothing for a single watcher.
struct CatchUp: Sendable {
    struct Step: Sendable {
        var frame: SharedFrame
        var place: WatchPosition
    }

    let start: WatchPosition
    var steps: [Step] = []
    /// Whether it ends at the newest. Otherwise rows follow that come in parts, or that the list has to be asked for.
    var isWhole = true
}

/// How far somebody who watches a list has been told of it: the revision of the rows, and the serial numbers of the newest
/// state and the newest progress.
struct WatchPosition: Hashable, Sendable {
    var revision: Revision = 0
    var state = 0
    var progress = 0
}

/// The newest state of a list, and the loading before it, which goes before its rows.
struct ListStates: Sendable {
    private(set) var loading: ListStateFrame?
    private(set) var newest: ListStateFrame?

    mutating func append(_ state: ListStateFrame) {
        if state.isLoading {
            loading = state
        } else if state.phase != .closing {
            loading = nil
        }
        newest = state
    }

    mutating func append(_ other: ListStates) {
        guard let state = other.newest else { return }
        if let loading = other.loading { append(loading) }
        if !state.isLoading { append(state) }
    }
}

/// A list's state as it is sent to all who watch.
struct ListStateFrame: Sendable {
    /// The state as gestures see it. A page being loaded does not concern them: they pull at the other end of the list.
    struct Told: Hashable, Sendable {
        var phase: Pull.Phase
        /// The refresh under way, or else the last one.
        var run: String?
    }

    /// Grows by one with each state of the list in this process.
    var serial: Int
    var frame: SharedFrame
    var phase: Pull.Phase
    /// The run under catchUp.
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

/// The progress of a run as one frame for all watchers.
struct ProgressFrame: Sendable {
    var serial: Int
    var run: RunID
    var progress: RunProgress
    var frame: SharedFrame
}
