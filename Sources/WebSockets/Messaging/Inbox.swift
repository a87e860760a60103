/// The messages of one socket that have come and are not taken yet, and who waits for one. Pure.
///
/// ```
///        add                      take
///  ───────────▶ [ a  b  c ] ────────────▶
///   full: stop reading      half empty: read again
/// ```
struct Inbox<Message, Reader> {
    /// How much may wait before nothing more is read from the network. One message may go beyond it.
    struct Limits {
        var messages: Int
        var bytes: Int
    }

    /// What becomes of a message that came.
    enum Delivery {
        /// Somebody waited for it.
        case handOver(Reader)
        /// It is kept; if `isFull`, nothing more is to be read until `take` says so.
        case keep(isFull: Bool)
        /// The socket has ended.
        case drop
    }

    /// What whoever asks for a message gets.
    enum Next {
        /// If `resumes`, reading is to go on.
        case message(Message, resumes: Bool)
        /// All messages are taken, and no more will come.
        case end
        /// None is there now.
        case wait
    }

    private let limits: Limits
    private var messages = Queue<(message: Message, size: Int)>()
    private var readers = Queue<(id: UInt64, reader: Reader)>()
    /// Bytes of the messages that wait.
    private(set) var bytes = 0
    private var isFull = false
    private var hasEnded = false

    init(limits: Limits) { self.limits = limits }

    /// A message came; `size` is in bytes.
    mutating func add(_ message: Message, size: Int) -> Delivery {
        guard !hasEnded else { return .drop }
        if let waiting = readers.popFirst() { return .handOver(waiting.reader) }
        messages.append((message, size))
        bytes += size
        if messages.count >= limits.messages || bytes >= limits.bytes { isFull = true }
        return .keep(isFull: isFull)
    }

    /// The oldest message.
    mutating func take() -> Next {
        guard let (message, size) = messages.popFirst() else { return hasEnded ? .end : .wait }
        bytes -= size
        let resumes = isFull && messages.count <= limits.messages / 2 && bytes <= limits.bytes / 2
        if resumes { isFull = false }
        return .message(message, resumes: resumes)
    }

    /// Somebody waits for a message, after `take` said so.
    mutating func wait(_ reader: Reader, id: UInt64) { readers.append((id, reader)) }

    /// Who waits no longer; nil: the one with this number does not wait.
    mutating func withdraw(_ id: UInt64) -> Reader? { readers.remove { $0.id == id }?.reader }

    /// No more will come.
    ///
    /// - Returns: who waits in vain.
    mutating func end() -> [Reader] {
        hasEnded = true
        return readers.drain().map(\.reader)
    }
}
