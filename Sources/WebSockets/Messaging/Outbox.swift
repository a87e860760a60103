/// The frames of one socket that are to be sent, up to a number of bytes, and the senders that wait for room. Pure.
///
/// ```
/// offer ──▶ [ frame frame frame ] ── next ──▶ the socket, while it is writable
///   │ full                ▲
///   └──▶ senders, in order┘ one after another as room comes
/// ```
/// A frame larger than the whole room is taken once nothing else waits.
struct Outbox<Sender> {
    /// What becomes of a frame.
    enum Offer {
        /// It is in the queue; if `wakes`, the loop is to be told.
        case queued(wakes: Bool)
        /// There is no room, and nothing has changed.
        case full
        /// Nothing more is sent.
        case closed
    }

    /// What the loop does next.
    enum Step {
        case send(SharedFrame)
        /// A Close frame, as everything else is sent.
        case close(UInt16, String)
        /// There is nothing. The next offer says that it wakes.
        case rest
    }

    private enum Phase {
        case open
        case closing(UInt16, String)
        case closed
    }

    private let limit: Int
    private var phase = Phase.open
    private var frames = Queue<SharedFrame>()
    /// Frames of control, which go before all others.
    private var controls = Queue<SharedFrame>()
    private var senders = Queue<(id: UInt64, frame: SharedFrame, sender: Sender)>()
    /// Bytes of the frames in the queue.
    private(set) var bytes = 0
    /// The loop was told, and has not found the queue empty since.
    private var isAwake = false

    /// - Parameter limit: bytes.
    init(limit: Int) { self.limit = limit }

    /// Whether a frame that is sent now overtakes none.
    var isEmpty: Bool { frames.isEmpty && senders.isEmpty }

    /// Whether a sender waits for room.
    var hasWaiting: Bool { !senders.isEmpty }

    /// Puts a frame behind all others, if there is room.
    mutating func offer(_ frame: SharedFrame) -> Offer {
        guard case .open = phase else { return .closed }
        guard senders.isEmpty, hasRoom(for: frame) else { return .full }
        append(frame)
        return .queued(wakes: wake())
    }

    /// Puts a frame of control before all others.
    mutating func offerControl(_ frame: SharedFrame) -> Offer {
        guard case .open = phase else { return .closed }
        controls.append(frame)
        return .queued(wakes: wake())
    }

    /// A sender waits with its frame, after `offer` said that there is no room.
    mutating func wait(_ sender: Sender, with frame: SharedFrame, id: UInt64) { senders.append((id, frame, sender)) }

    /// The sender whose frame is not to be sent; nil: the one with this number does not wait.
    mutating func withdraw(_ id: UInt64) -> Sender? { senders.remove { $0.id == id }?.sender }

    /// What is to be done next, on a socket that is writable; and the senders whose frames are in the queue now.
    mutating func next() -> (step: Step, released: [Sender]) {
        if let control = controls.popFirst() { return (.send(control), []) }
        if let frame = frames.popFirst() {
            bytes -= frame.bytes.count
            return (.send(frame), release())
        }
        isAwake = false
        guard case .closing(let code, let reason) = phase else { return (.rest, []) }
        phase = .closed
        return (.close(code, reason), [])
    }

    /// Takes no more frames; `next` says when all are sent. Harmless twice: the first call counts.
    ///
    /// - Returns: whether the loop is to be told, and the senders whose frames are not sent.
    mutating func close(_ code: UInt16, _ reason: String) -> (wakes: Bool, refused: [Sender]) {
        guard case .open = phase else { return (false, []) }
        phase = .closing(code, reason)
        return (wake(), senders.drain().map(\.sender))
    }

    /// The socket has ended.
    ///
    /// - Returns: the senders whose frames are not sent.
    mutating func end() -> [Sender] {
        phase = .closed
        frames.removeAll()
        controls.removeAll()
        bytes = 0
        return senders.drain().map(\.sender)
    }

    private func hasRoom(for frame: SharedFrame) -> Bool { frames.isEmpty || bytes + frame.bytes.count <= limit }

    private mutating func append(_ frame: SharedFrame) {
        frames.append(frame)
        bytes += frame.bytes.count
    }

    private mutating func release() -> [Sender] {
        var released: [Sender] = []
        while let (_, frame, sender) = senders.first, hasRoom(for: frame) {
            _ = senders.popFirst()
            append(frame)
            released.append(sender)
        }
        return released
    }

    private mutating func wake() -> Bool {
        defer { isAwake = true }
        return !isAwake
    }
}
