import WebSockets

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
