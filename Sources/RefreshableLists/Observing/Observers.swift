import Locking
import WebSockets

/// The observers of a value that changes. Each gets the elements sent after it subscribed, as an `AsyncSequence`.
final class Observers<Element: Sendable>: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
        var hearers: [@Sendable (Element) -> Void] = []
        var next = 0
        var hasEnded = false
    }

    /// How many elements are buffered for each observer; then the oldest are dropped.
    private static var bufferSize: Int { 1024 }

    private let state = Locked(State())

    /// Whether anybody follows.
    var isFollowed: Bool { state.withLock { !$0.continuations.isEmpty } }

    /// The events from now on, until the reader stops or the end.
    func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
        let number = state.withLock { state -> Int? in
            guard !state.hasEnded else { return nil }
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    /// Calls back for all events from now on, at once, on the thread that publishes them.
    func hear(_ hear: @escaping @Sendable (Element) -> Void) { state.withLock { $0.hearers.append(hear) } }

    /// Tells all. Returns at once, however slow they are.
    func tell(_ element: Element) {
        let (continuations, hearers) = state.withLock { ($0.continuations.values, $0.hearers) }
        for hear in hearers { hear(element) }
        for continuation in continuations { continuation.yield(element) }
    }

    /// No more events follow.
    func end() {
        let all = state.withLock { state in
            defer { state.continuations = [:] }
            state.hasEnded = true
            return state.continuations.values
        }
        for continuation in all { continuation.finish() }
    }

    private func remove(_ number: Int) { state.withLock { $0.continuations[number] = nil } }
}
