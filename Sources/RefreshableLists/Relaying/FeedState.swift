import KeyedLists
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

    private(set) var ring = FrameRing()
    private(set) var states = ListStates()
    private(set) var progress: ProgressFrame?

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
    func way(from start: WatchPosition) -> CatchUp {
        var way = CatchUp(start: start)
        var place = start
        while true {
            switch step(from: place) {
            case .frame(let frame, let next):
                way.steps.append(.init(frame: frame, place: next))
                place = next
            case .batch, .fold:
                way.isWhole = false
                return way
            case .nothing: return way
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
