import KeyedLists
import WebSockets

/// One session watching one list: a place in its history, and registers, never a queue.
///
/// What it is sent, in this order: rows that are under way, what the list is now, its own gesture's newest state, loading, rows, closing or
/// waiting once their rows were sent, and progress. On its loop alone.
final class Watch {
    let id: WatchID
    unowned let session: Session
    let channel: Channel
    /// Its place among the channel's watches.
    var index = 0
    /// The newest state of this session's own gesture, until it is sent.
    var privateState: SharedFrame?
    /// What the list is now, if it is another than its ok said, until it is sent.
    var settings: SharedFrame?
    /// Whether whoever watches may refresh the list, too.
    var mayRefresh: Bool
    /// The revision it was last sent. Nil until the list attached it.
    private var revision: Revision?
    private var rows: FrameBatch?
    private var nextPart = 0
    private var stateSerial = 0
    private var progressSerial = 0

    init(id: WatchID, session: Session, channel: Channel) {
        self.id = id
        self.session = session
        self.channel = channel
        mayRefresh = session.visitor.may(.refresh, channel.list.name)
    }

    /// Whether its rows were given up because it reads them too slowly.
    var isTooSlow: Bool { rows?.snapshot?.isRevoked ?? false }

    func attach(_ attachment: WatchStart) {
        revision = attachment.revision
        // What the list did before is history: only its newest state is for somebody who comes now.
        stateSerial = (channel.states.newest?.serial ?? 1) - 1
        rows = attachment.rows
        nextPart = 0
    }

    func isWaiting(at base: Revision) -> Bool { revision == base && rows == nil }

    /// Rows that follow, after all that was sent before.
    func begin(_ batch: FrameBatch) {
        rows = batch
        nextPart = 0
    }

    /// The next frame to send. Generated only now, when it can be sent.
    func nextFrame() -> SharedFrame? {
        guard let revision else { return nil }
        if rows != nil { return nextRowFrame() }
        if let frame = settings {
            settings = nil
            return frame
        }
        if let frame = privateState {
            privateState = nil
            return frame
        }
        // The rows of an earlier run go before the beginning of the next, which says that the earlier one is over.
        if let loading = channel.states.loading, loading.serial > stateSerial,
            loading.revision <= revision || revision >= channel.ring.revision
        {
            return send(loading)
        }
        if revision < channel.ring.revision {
            guard let batch = channel.batch(from: revision) else { return nil }
            begin(batch)
            return nextRowFrame()
        }
        if let state = channel.states.newest, state.serial > stateSerial, state.revision <= revision {
            return send(state)
        }
        return nextProgress()
    }

    private func nextRowFrame() -> SharedFrame? {
        guard let batch = rows else { return nil }
        let frame = batch.frames[nextPart]
        nextPart += 1
        if nextPart == batch.frames.count {
            rows = nil
            revision = batch.revision
        }
        return frame
    }

    private func send(_ state: ListStateFrame) -> SharedFrame {
        stateSerial = state.serial
        return state.frame
    }

    private func nextProgress() -> SharedFrame? {
        guard let progress = channel.progress, progress.serial > progressSerial else { return nil }
        progressSerial = progress.serial
        return progress.run == channel.states.newest?.run ? progress.frame : nil
    }
}
