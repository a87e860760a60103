/// Until when a connection may go on as it does, and what is done about it then. Pure.
///
/// ```
/// head     ──10 s──▶ cut           no whole request, or no handshake, since it came
/// exchange ──60 s──▶ cut           a request that is not whole, an answer that is not taken
/// kept     ──60 s──▶ cut           no further request
/// beat     ──25 s──▶ ping ──▶ pong ──8 s──▶ 4102      heard of meanwhile: beat
/// stall    ──30 s──▶ 4101                             a byte taken meanwhile: stall
/// end      ── 3 s──▶ cut           a Close frame, or the end of the stream, in return for ours
/// rest                             it waits for us
/// ```
struct Vigil {
    /// What is waited for.
    enum Watch: Equatable {
        case rest, head, exchange, kept, beat, pong, end
        /// - Parameter taken: bytes that the peer had taken when it began.
        case stall(taken: Int64?)
    }

    /// What there is to know of a connection whose time is over.
    struct Facts {
        /// Reading from it is paused: it can't be heard.
        var isPaused = false
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
        var end = Duration.seconds(3)
    }

    private(set) var watch = Watch.rest

    /// Begins to wait for something else; how long, if there is a limit.
    mutating func begin(_ watch: Watch, _ limits: Limits) -> Duration? {
        self.watch = watch
        return switch watch {
        case .rest: nil
        case .head: limits.head
        case .exchange: limits.exchange
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

    /// Who takes a byte now and then stays.
    private mutating func stallIsOver(_ before: Int64?, _ facts: Facts, _ limits: Limits) -> (Action, Duration?) {
        if let before, let taken = facts.taken, taken > before {
            return (.nothing, begin(.stall(taken: taken), limits))
        }
        return (.drop(4101, "too slow"), begin(.rest, limits))
    }
}
