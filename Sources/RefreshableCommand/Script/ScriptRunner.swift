import KeyedLists

/// Runs the steps of one script, each on its connection, until one fails.
struct ScriptRunner {
    /// Connects; the letter is for messages only.
    typealias Connect = @Sendable (_ letter: String) async throws -> any ScriptConnection

    private struct Conversation {
        let connection: any ScriptConnection
        /// How many of its frames the script has read.
        var read = 0
    }

    private let file: String
    private let connect: Connect
    private var conversations: [String: Conversation] = [:]
    private var cutConnections: Set<String> = []
    private var captures = Captures()

    init(file: String, connect: @escaping Connect) {
        self.file = file
        self.connect = connect
    }

    /// Performs the steps and closes the connections.
    ///
    /// - Throws: `ScriptFault` for the first step that fails; `CancellationError`.
    mutating func run(_ steps: [ScriptStep]) async throws {
        do {
            for step in steps {
                try Task.checkCancellation()
                try await perform(step)
            }
        } catch {
            await closeAll()
            throw error
        }
        await closeAll()
    }

    private mutating func perform(_ step: ScriptStep) async throws {
        switch step.action {
        case .send(let text): try await send(text, step)
        case .next(let pattern, let within): try await expectNext(pattern, within, step)
        case .eventually(let pattern, let within): try await expectEventually(pattern, within, step)
        case .never(let pattern, let during): try await expectNone(pattern, during, step)
        case .wait(let duration): try await Task.sleep(for: duration)
        case .cut: try await cut(step)
        case .open: try await open(step)
        }
    }

    private func fault(_ step: ScriptStep, _ problem: String) -> ScriptFault {
        ScriptFault(place: "\(file):\(step.line)", problem: problem)
    }
}

extension ScriptRunner {
    private mutating func send(_ text: String, _ step: ScriptStep) async throws {
        let conversation = try await conversation(step)
        do {
            await conversation.connection.send(try captures.filled(into: text))
        } catch {
            throw fault(step, "No frame gave a value to $\(error.name) before this line.")
        }
    }

    private mutating func expectNext(_ pattern: FramePattern, _ within: Duration, _ step: ScriptStep) async throws {
        let conversation = try await conversation(step)
        let inbox = conversation.connection.inbox
        guard let frame = await inbox.frame(conversation.read, before: .now + within) else {
            throw mismatch(step, "No frame came within \(within.text).", pattern, [])
        }
        conversations[step.connection]?.read += 1
        guard pattern.matches(frame.json, &captures) else {
            throw mismatch(step, "The next frame is another.", pattern, [frame])
        }
    }

    private mutating func expectEventually(
        _ pattern: FramePattern, _ within: Duration, _ step: ScriptStep
    ) async throws {
        let conversation = try await conversation(step)
        let inbox = conversation.connection.inbox
        let end = ContinuousClock.now + within
        var passed: [String] = []
        while let frame = await inbox.frame(conversation.read + passed.count, before: end) {
            passed.append(frame)
            if pattern.matches(frame.json, &captures) {
                conversations[step.connection]?.read += passed.count
                return
            }
        }
        throw mismatch(step, "No frame that matches came within \(within.text).", pattern, passed)
    }

    private mutating func expectNone(_ pattern: FramePattern, _ during: Duration, _ step: ScriptStep) async throws {
        let conversation = try await conversation(step)
        let inbox = conversation.connection.inbox
        let end = ContinuousClock.now + during
        var number = conversation.read
        while let frame = await inbox.frame(number, before: end) {
            number += 1
            var attempt = captures
            if pattern.matches(frame.json, &attempt) {
                throw mismatch(step, "A frame came that should not within \(during.text).", pattern, [frame])
            }
        }
    }

    private func mismatch(
        _ step: ScriptStep, _ problem: String, _ pattern: FramePattern, _ frames: [String]
    ) -> ScriptFault {
        let comparison = FrameComparison(pattern, nearestOf: frames.map(\.json), captures)
        let shown = frames.suffix(12).map { "  < \($0.prefix(400))" }
        let title = frames.isEmpty ? "  received: no frame" : "  received, \(frames.count) in all:"
        return fault(step, ([problem, "\(comparison)", title] + shown).joined(separator: "\n"))
    }
}

extension ScriptRunner {
    private mutating func conversation(_ step: ScriptStep) async throws -> Conversation {
        if let conversation = conversations[step.connection] { return conversation }
        if cutConnections.contains(step.connection) {
            throw fault(step, "The connection was cut. `open` it before it is used again.")
        }
        return try await open(step)
    }

    @discardableResult
    private mutating func open(_ step: ScriptStep) async throws -> Conversation {
        await conversations.removeValue(forKey: step.connection)?.connection.close()
        cutConnections.remove(step.connection)
        do {
            let conversation = Conversation(connection: try await connect(step.connection))
            conversations[step.connection] = conversation
            return conversation
        } catch {
            throw fault(step, "\(error)")
        }
    }

    private mutating func cut(_ step: ScriptStep) async throws {
        let conversation = try await conversation(step)
        await conversation.connection.cut()
        conversations[step.connection] = nil
        cutConnections.insert(step.connection)
    }

    private mutating func closeAll() async {
        for conversation in conversations.values { await conversation.connection.close() }
        conversations = [:]
    }
}

extension String {
    /// The frame as a value; what is no JSON is a string, which no pattern for an object matches.
    fileprivate var json: JSONValue {
        do {
            return try JSONValue(json: Array(utf8))
        } catch {
            return .string(self)
        }
    }
}

extension Duration {
    /// As scripts have it: `250ms`, `5s`.
    var text: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}

/// One connection of a script. A socket, or in a test a table of answers.
protocol ScriptConnection: Sendable {
    /// The frames that came, in order.
    var inbox: FrameInbox { get }

    /// Sends one text frame.
    func send(_ text: String) async

    /// Closes the connection, waiting for the end.
    func close() async

    /// Drops the connection without a Close frame.
    func cut() async
}

/// Frames that no server sends, but that scripts can match.
enum ScriptFrames {
    /// How a connection ended.
    static func close(code: UInt16, reason: String) -> String {
        JSONValue.object([
            "type": .string("close"), "code": .number(Double(code)), "reason": .string(reason),
        ]).text
    }
}

/// The frames of one connection, kept in the order in which they came, for a script that reads them at its own pace.
actor FrameInbox {
    private var frames: [String] = []
    private var hasEnded = false
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var tickets = 0

    /// Adds a frame.
    func put(_ frame: String) {
        frames.append(frame)
        wakeAll()
    }

    /// No frame will come any more.
    func end() {
        hasEnded = true
        wakeAll()
    }

    /// The frame with this number, from 0, as soon as it is there; nil if it is not by then, or never will be.
    func frame(_ number: Int, before end: ContinuousClock.Instant) async -> String? {
        while number >= frames.count {
            guard !hasEnded, ContinuousClock.now < end else { return nil }
            await change(before: end)
        }
        return frames[number]
    }

    private func change(before end: ContinuousClock.Instant) async {
        tickets += 1
        let ticket = tickets
        let timer = Task {
            // A cancelled timer has nobody to wake.
            guard case .success = await sleep(until: end) else { return }
            wake(ticket)
        }
        await withCheckedContinuation { waiters[ticket] = $0 }
        timer.cancel()
    }

    private func sleep(until end: ContinuousClock.Instant) async -> Result<Void, any Error> {
        do {
            return .success(try await ContinuousClock().sleep(until: end))
        } catch {
            return .failure(error)
        }
    }

    private func wake(_ ticket: Int) {
        waiters.removeValue(forKey: ticket)?.resume()
    }

    private func wakeAll() {
        for ticket in waiters.keys { wake(ticket) }
    }
}
