import WebSockets

/// One session watching one list: registers, never a queue. Its place in the list's history is in its subscription.
///
/// What it is sent, in this order: rows that are under way, what the list is now, its own gesture's newest state, loading,
/// rows, closing or waiting once their rows were sent, and progress. On its loop alone.
final class Watch {
    let id: WatchID
    unowned let session: Session
    /// Of the list, or of the window that it looks at.
    var topic: Topic
    /// Its subscription in the topic; nil without one.
    var index: Int?
    /// The newest state of this session's own gesture, until it is sent.
    var privateState: SharedFrame? { didSet { topic.noteOwn(of: self) } }
    /// What the list is now, if it is another than its ok said, until it is sent.
    var settings: SharedFrame? { didSet { topic.noteOwn(of: self) } }
    /// What whoever watches has not seen, until it is sent.
    var unread: SharedFrame? { didSet { topic.noteOwn(of: self) } }
    /// Who watches, as far as unread rows are concerned; nil where nobody knows.
    let person: String?
    /// What whoever watches may do besides.
    var rights: WatchRights
    private var rows: PendingRows? { didSet { topic.noteOwn(of: self) } }
    private var isAttached = false
    /// The number of its newest `look`, and whether the list has yet to answer it.
    private var look = (number: 0, isWaiting: false) { didSet { topic.noteOwn(of: self) } }

    init(id: WatchID, session: Session, topic: Topic) {
        self.id = id
        self.session = session
        self.topic = topic
        person = session.visitor.name
        rights = session.visitor.watchRights(to: topic.list.name)
    }

    /// Whether its rows were given up because it reads them too slowly.
    var isTooSlow: Bool { rows?.batch.isRevoked ?? false }

    /// Bytes of rows under way that are perhaps nobody else's.
    var ownSize: Int { rows?.batch.ownSize ?? 0 }

    /// Whether the list attached it, and no rows are under way.
    var isBetweenRows: Bool { isAttached && rows == nil && !look.isWaiting }

    /// Whether it is owed nothing of its own: what comes next follows from its place.
    var isPlain: Bool { isBetweenRows && privateState == nil && settings == nil && unread == nil }

    /// The list attached it, or has laid another window. Rows that were under way are replaced.
    func attach(_ start: WatchStart) {
        isAttached = true
        rows = start.rows.map(PendingRows.init)
        if let number = start.look { looked(number) }
    }

    /// It is sent nothing more until the list has answered.
    ///
    /// - Returns: the number of this look.
    func beginLook() -> Int {
        look = (look.number + 1, true)
        return look.number
    }

    /// The list has answered a look. After an earlier one, the answer to the newest is still to come.
    func looked(_ number: Int) {
        if number == look.number { look.isWaiting = false }
    }

    /// Rows that follow, after all that was sent before.
    func begin(_ batch: FrameBatch) { rows = PendingRows(batch) }

    /// The next frame to send. Generated only now, when it can be sent.
    func nextFrame() -> SharedFrame? {
        guard isAttached, !look.isWaiting else { return nil }
        if let rows { return nextFrame(of: rows) }
        if let frame = settings {
            settings = nil
            return frame
        }
        if let frame = unread {
            unread = nil
            return frame
        }
        if let frame = privateState {
            privateState = nil
            return frame
        }
        return topic.nextFrame(of: self)
    }

    private func nextFrame(of rows: PendingRows) -> SharedFrame {
        let frame = rows.next()
        if rows.isOver {
            topic.arrived(self, at: rows.batch.revision)
            self.rows = nil
        }
        return frame
    }
}

/// Rows that one watch is being sent, and how many of their frames are out. It exists only for so long.
final class PendingRows {
    let batch: FrameBatch
    private var sent = 0

    init(_ batch: FrameBatch) { self.batch = batch }

    /// Whether all frames are out.
    var isOver: Bool { sent == batch.frames.count }

    /// The next frame.
    func next() -> SharedFrame {
        defer { sent += 1 }
        return batch.frames[sent]
    }
}
