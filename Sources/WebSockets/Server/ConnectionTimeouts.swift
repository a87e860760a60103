/// The timeouts of a connection: what it waits for, for how long, and what is done then. Pure.
///
/// ```
/// head     ──10 s──▶ cut           no whole request, or no handshake, since it came
/// exchange ──60 s──▶ cut           a request that is not whole
/// answer   ── 1 s──▶ cut           it waits for us and is gone; else: answer
/// taking   ──60 s──▶ cut           no byte of an answer taken; else: taking
/// kept     ──60 s──▶ cut           no further request
/// beat     ──25 s──▶ ping ──▶ pong ──8 s──▶ 4102      heard of meanwhile: beat
/// stall    ──30 s──▶ 4101                             a byte taken meanwhile: stall
/// end      ── 3 s──▶ cut           a Close frame, or the end of the stream, in return for ours
/// ```
struct ConnectionTimeouts {
    /// What is waited for.
    enum Watch: Equatable {
        case rest, head, exchange, answer, kept, beat, pong, end
        /// As `stall`, for an answer.
        case taking(taken: Int64?)
        /// - Parameter taken: bytes that the peer had taken when it began.
        case stall(taken: Int64?)
    }

    /// What there is to know of a connection whose time is over.
    struct Facts {
        /// Reading from it is paused: nothing can arrive.
        var isPaused = false
        /// It has ended its side of the stream, or all of it.
        var hasLeft = false
        /// Anything came from it since the ping.
        var wasHeard = false
        /// Bytes that the peer has taken so far; nil where that is not known.
        var taken: Int64?
    }

    /// What is to be done.
    enum Action: Equatable {
        case nothing, cut, ping
        /// A Close frame with this code.
        case close(UInt16, String)
        /// The same without a Close frame: the peer would not take it.
        case drop(UInt16, String)
    }

    /// How long each thing is waited for.
    struct Limits {
        var head: Duration
        var exchange: Duration
        var kept: Duration
        var beat: Duration
        /// Shorter than `beat`.
        var pong: Duration
        var stall: Duration
        var look: Duration
        var end = Duration.seconds(3)
    }

    private(set) var watch = Watch.rest

    /// Begins to wait for something else; how long, if there is a limit.
    mutating func begin(_ watch: Watch, _ limits: Limits) -> Duration? {
        self.watch = watch
        return switch watch {
        case .rest: nil
        case .head: limits.head
        case .exchange, .taking: limits.exchange
        case .answer: limits.look
        case .kept: limits.kept
        case .beat: limits.beat
        case .pong: limits.pong
        case .stall: limits.stall
        case .end: limits.end
        }
    }

    /// The time is over: what to do, and how long to wait from now on.
    mutating func isOver(_ facts: Facts, _ limits: Limits) -> (Action, Duration?) {
        switch watch {
        case .rest: return (.nothing, nil)
        case .head, .exchange, .kept, .end: return (.cut, begin(.rest, limits))
        case .answer: return facts.hasLeft ? (.cut, begin(.rest, limits)) : (.nothing, begin(.answer, limits))
        case .taking(let before):
            guard let taken = progress(before, facts) else { return (.cut, begin(.rest, limits)) }
            return (.nothing, begin(.taking(taken: taken), limits))
        case .beat: return facts.isPaused ? (.nothing, begin(.beat, limits)) : (.ping, begin(.pong, limits))
        case .pong: return pongIsDue(facts, limits)
        case .stall(let before): return stallIsOver(before, facts, limits)
        }
    }

    /// The next ping comes a beat after the last one.
    private mutating func pongIsDue(_ facts: Facts, _ limits: Limits) -> (Action, Duration?) {
        guard facts.wasHeard || facts.isPaused else { return (.close(4102, "no pong"), begin(.rest, limits)) }
        return (.nothing, begin(.beat, limits).map { $0 - limits.pong })
    }

    /// A peer that reads a byte now and then is kept.
    private mutating func stallIsOver(_ before: Int64?, _ facts: Facts, _ limits: Limits) -> (Action, Duration?) {
        guard let taken = progress(before, facts) else { return (.drop(4101, "too slow"), begin(.rest, limits)) }
        return (.nothing, begin(.stall(taken: taken), limits))
    }

    /// What was taken until now, where that is more than before.
    private func progress(_ before: Int64?, _ facts: Facts) -> Int64? {
        guard let before, let taken = facts.taken, taken > before else { return nil }
        return taken
    }
}
