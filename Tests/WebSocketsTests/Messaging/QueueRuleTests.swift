import Testing

@testable import WebSockets

/// The rules of a socket's two queues, against plain models of them.
@Suite struct QueueRuleTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func aQueueIsFirstInFirstOut(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = Queue<Int>()
        var model: [Int] = []
        for number in 0..<2000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                queue.append(number)
                model.append(number)
            case 5..<9:
                #expect(queue.first == model.first)
                let first = queue.popFirst()
                #expect(first == (model.isEmpty ? nil : model.removeFirst()))
            default:
                guard let wanted = model.randomElement(using: &generator) else { break }
                let removed = queue.remove { $0 == wanted }
                #expect(removed == wanted)
                model.removeAll { $0 == wanted }
            }
            #expect(queue.count == model.count && queue.isEmpty == model.isEmpty)
        }
        let drained = queue.drain()
        #expect(drained == model)
    }

    @Test func anInboxIsFullAtItsBoundAndReadsAgainWhenHalfEmpty() {
        var inbox = Inbox<Int, Int>(limits: .init(messages: 4, bytes: 1000))
        let fills = (0..<4).map { inbox.fills(with: $0, size: 1) }
        let resumes = (0..<3).map { _ in inbox.taken()?.resumes }
        #expect(fills == [false, false, false, true])
        #expect(resumes == [false, true, false])
    }

    @Test func anInboxIsFullByBytesToo() {
        var inbox = Inbox<Int, Int>(limits: .init(messages: 100, bytes: 1000))
        let fills = [999, 5000].map { inbox.fills(with: 0, size: $0) }
        #expect(fills == [false, true] && inbox.bytes == 5999)
        let resumes = (0..<2).map { _ in inbox.taken()?.resumes }
        #expect(resumes == [false, true] && inbox.bytes == 0)
    }

    @Test func whatCameBeforeTheEndIsTakenAfterIt() {
        var inbox = Inbox<Int, Int>(limits: .init(messages: 4, bytes: 1000))
        _ = inbox.add(7, size: 1)
        _ = inbox.end()
        if case .drop = inbox.add(8, size: 1) {} else { Issue.record("A message after the end was kept.") }
        let taken = inbox.taken()
        #expect(taken == .init(message: 7, resumes: false))
        if case .end = inbox.take() {} else { Issue.record("There was no end.") }
    }

    /// Senders, one of them with every kind of frame, against a model: a list of what was taken in order.
    @Test(arguments: 0..<30 as Range<UInt64>) func anOutboxKeepsOrderAndBoundsWhateverComes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var outbox = Outbox<UInt64>(limit: 1000)
        var accepted: [UInt64] = []
        var waiting: [UInt64] = []
        var sent: [UInt64] = []
        for id in 0..<3000 as Range<UInt64> {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let size = Int.random(in: 8..<400, using: &generator)
                let frame = SharedFrame(id: id, size: size)
                switch outbox.offer(frame) {
                case .queued: accepted.append(id)
                case .full:
                    outbox.wait(id, with: frame, id: id)
                    waiting.append(id)
                case .closed: Issue.record("It closed by itself.")
                }
            case 5..<9:
                let (step, released) = outbox.next()
                if case .send(let frame) = step { sent.append(frame.id) }
                #expect(released.elementsEqual(waiting.prefix(released.count)))
                accepted += released
                waiting.removeFirst(released.count)
            default:
                guard let withdrawn = waiting.randomElement(using: &generator) else { break }
                let answers = [outbox.withdraw(withdrawn), outbox.withdraw(withdrawn)]
                #expect(answers == [withdrawn, nil])
                waiting.removeAll { $0 == withdrawn }
            }
            #expect(outbox.bytes <= 1000)
        }
        while case .send(let frame) = outbox.next().step { sent.append(frame.id) }
        #expect(outbox.isEmpty || !waiting.isEmpty)
        #expect(sent.starts(with: accepted))
    }

    @Test func aCloseComesLastAndRefusesWhoWaits() {
        var outbox = Outbox<Int>(limit: 10)
        let wakings = [1, 2].map { outbox.wakes(SharedFrame(id: $0, size: 100)) }
        #expect(wakings == [true, nil])
        outbox.wait(2, with: SharedFrame(id: 2, size: 100), id: 2)
        let (wakes, refused) = outbox.close(1000, "")
        #expect(!wakes && refused == [2])
        if case .closed = outbox.offer(SharedFrame(id: 3, size: 8)) {} else { Issue.record("It took a frame.") }
        if case .send(let frame) = outbox.next().step { #expect(frame.id == 1) } else { Issue.record("1 is lost.") }
        if case .close(1000, "") = outbox.next().step {} else { Issue.record("The close is lost.") }
        if case .rest = outbox.next().step {} else { Issue.record("It closes twice.") }
    }
}

extension Inbox where Message == Int {
    struct Taken: Equatable {
        var message: Int
        var resumes: Bool
    }

    /// Whether it is full after a message.
    mutating func fills(with message: Int, size: Int) -> Bool {
        if case .keep(let isFull) = add(message, size: size) { isFull } else { false }
    }

    mutating func taken() -> Taken? {
        if case .message(let message, let resumes) = take() { Taken(message: message, resumes: resumes) } else { nil }
    }
}

extension Outbox {
    /// Whether an accepted frame wakes the loop; nil: it was not accepted.
    mutating func wakes(_ frame: SharedFrame) -> Bool? {
        if case .queued(let wakes) = offer(frame) { wakes } else { nil }
    }
}

extension SharedFrame {
    /// A frame that carries a number.
    convenience init(id: UInt64, size: Int) {
        let bytes = withUnsafeBytes(of: id.bigEndian) { Array($0) }
        self.init(binary: bytes + [UInt8](repeating: 0, count: Swift.max(0, size - 8)))
    }

    /// The number that it carries.
    var id: UInt64 {
        bytes.suffix(payloadLength).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
