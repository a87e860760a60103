/// The gesture: what one person's pull on one list amounts to. A pure reducer, (state, event) → actions.
///
///                 sample ≥ threshold               release
///     waiting ──────────────────────▶ primed ──────────────────▶ loading ◀── begin, from any phase
///       ▲ ▲ ◀────────────────────────                              │ │
///       │ │   sample ≤ threshold − hysteresis, cancel       refuse │ │ end
///       │ └────────────────────────────────────────────────────────┘ ▼
///       └─────────────── settle (600 ms), or a new gesture ──────── closing
///
/// With the trigger `return` a primed pull also loads when a sample falls below the threshold; with `crossing` a
/// waiting one loads at the threshold. The server keeps one for each session and list, and its word is official; the
/// page keeps a twin (`Public/gesture/pull.js`) that predicts, so that the indicator moves in the same frame as the finger.
/// Both are held to the tables in `Tests/Traces`.
///
/// A pull that asks for a refresh is loading *at once*, before the list has begun: the shell confirms with `begin` or
/// takes it back with `refuse`. So loading is left by `end` or `refuse` alone.
///
/// A gesture that was down at any moment of loading is spent: it can join that refresh by its release, but never ask
/// for another; that takes a new gesture. No event is an error: what does not fit is ignored and counted.
public struct Pull: Hashable, Sendable {
    /// The largest offset or distance, in px, to either side of the top.
    public static let limit: Double = 10_000

    /// The numbers a gesture may have: those that JavaScript can count, too.
    static let gestures = 1...9_007_199_254_740_991

    /// The phases, split by whether the list has confirmed that it loads.
    private enum Stage: Hashable {
        case waiting, primed, asked, loading, closing
    }

    /// The distances and the trigger of the list.
    public private(set) var configuration: PullConfiguration
    /// 0…1, how far the content is pulled; frozen while loading and closing.
    public private(set) var progress: Double = 0
    /// How many events did not fit and changed nothing.
    public private(set) var ignored = 0

    private var stage: Stage
    private var touch = Touch()
    private var told: PrivateState?

    /// A pull at rest; or, for a list in the midst of a run, one that is loading.
    public init(_ configuration: PullConfiguration, isLoading: Bool = false) {
        self.configuration = configuration
        stage = isLoading ? .loading : .waiting
    }

    /// Where the pull is.
    public var phase: Phase {
        switch stage {
        case .waiting: .waiting
        case .primed: .primed
        case .asked, .loading: .loading
        case .closing: .closing
        }
    }

    /// The number of the newest gesture; 0 before the first.
    public var gesture: Int { touch.gesture }

    /// The newest gesture's highest offset, in px, since touch-down or its last unpriming: what its release should
    /// say. Nil before its first sample.
    public var peak: Double? { touch.peak }

    /// Handles one event and returns what to do. Never fails; costs the same whatever came before.
    public mutating func handle(_ event: Event) -> Actions {
        guard event.isSound else { return ignore() }
        var actions = perform(event)
        // Closing is the list's: whoever pulled waits again. And a gesture that waits must have been told so.
        if let told, told.phase != .waiting, stage == .waiting || stage == .closing {
            actions.state = tell(PrivateState(gesture: told.gesture, phase: .waiting, progress: 0))
        }
        return actions
    }

    /// The list wants to be pulled in another way from now on. A gesture that is down is judged by that, too.
    public mutating func configure(_ configuration: PullConfiguration) { self.configuration = configuration }

    private mutating func perform(_ event: Event) -> Actions {
        switch event {
        case .sample(let gesture, let offset): sample(gesture, offset)
        case .release(let gesture, let offset, let peak): release(gesture, offset, peak)
        case .cancel(let gesture): cancel(gesture)
        case .begin: begin()
        case .refuse: refuse()
        case .end: end()
        case .settle: settle()
        }
    }
}

/// What the finger does.
extension Pull {
    private mutating func sample(_ gesture: Int, _ offset: Double) -> Actions {
        takeUp(gesture)
        guard gesture == touch.gesture, touch.isDown else { return ignore() }
        touch.move(to: offset, configuration)
        var actions = Actions()
        if touch.fate == .down, phase != .loading {
            actions.refresh = pull(to: offset)
        }
        actions.state = tell(PrivateState(gesture: gesture, phase: phase, progress: progress))
        return actions
    }

    /// Moves a gesture that may still ask for a refresh; returns its number if it does so by itself.
    private mutating func pull(to offset: Double) -> Int? {
        progress = configuration.progress(at: offset)
        guard let peak = touch.peak, configuration.reaches(peak) else {
            stage = .waiting
            return nil
        }
        let fires =
            switch configuration.trigger {
            case .release: false
            case .return: !configuration.reaches(offset)
            case .crossing: true
            }
        stage = fires ? .asked : .primed
        guard fires else { return nil }
        touch.fate = .fired
        return touch.gesture
    }

    private mutating func release(_ gesture: Int, _ offset: Double, _ peak: Double?) -> Actions {
        takeUp(gesture)
        guard gesture == touch.gesture else { return ignore(answering: .repeated) }
        switch touch.fate {
        case .down: return letGo(at: offset, peak: max(peak ?? touch.peak ?? offset, offset))
        case .fired: return finish(answering: .own)
        case .spent: return finish(answering: .spent)
        case .released: return Actions(answer: .repeated)
        case .cancelled: return ignore(answering: .spent)
        }
    }

    private mutating func letGo(at offset: Double, peak: Double) -> Actions {
        guard configuration.runs(releasedAt: offset, peak: peak) else { return finish(answering: .belowThreshold) }
        touch.fate = .released
        guard phase != .loading else { return Actions(refresh: touch.gesture, answer: .joins) }
        progress = configuration.progress(at: offset)
        stage = .asked
        return Actions(refresh: touch.gesture, answer: .run)
    }

    private mutating func finish(answering answer: Answer) -> Actions {
        touch.fate = .released
        letRest()
        return Actions(answer: answer)
    }

    private mutating func cancel(_ gesture: Int) -> Actions {
        takeUp(gesture)
        guard gesture == touch.gesture, touch.isDown else { return ignore() }
        touch.fate = .cancelled
        letRest()
        return Actions()
    }

    /// A higher number is a new finger; it ends the gesture before it.
    private mutating func takeUp(_ gesture: Int) {
        guard gesture > touch.gesture else { return }
        touch = Touch(gesture: gesture, fate: .down)
    }

    /// Nobody pulls any more; a refresh and its closing go on.
    private mutating func letRest() {
        guard stage == .waiting || stage == .primed else { return }
        stage = .waiting
        progress = 0
    }
}

/// What the list's facts do.
extension Pull {
    private mutating func begin() -> Actions {
        guard stage != .loading else { return ignore() }
        stage = .loading
        return Actions()
    }

    private mutating func refuse() -> Actions {
        guard stage == .asked else { return ignore() }
        leaveLoading(for: .waiting)
        progress = 0
        return Actions()
    }

    private mutating func end() -> Actions {
        guard phase == .loading else { return ignore() }
        leaveLoading(for: .closing)
        return Actions()
    }

    private mutating func settle() -> Actions {
        guard stage == .closing else { return ignore() }
        stage = .waiting
        progress = 0
        return Actions()
    }

    private mutating func leaveLoading(for next: Stage) {
        stage = next
        if touch.fate == .down { touch.fate = .spent }
    }

    private mutating func ignore(answering answer: Answer? = nil) -> Actions {
        ignored += 1
        return Actions(answer: answer)
    }

    private mutating func tell(_ state: PrivateState) -> PrivateState {
        told = state
        return state
    }
}

extension Pull {
    /// Where a pull is, in the words of every message and attribute.
    public enum Phase: String, CaseIterable, Hashable, Sendable {
        /// Nothing is asked: at rest, or pulled less than the threshold.
        case waiting
        /// Pulled far enough: letting go refreshes.
        case primed
        /// A refresh runs, or was just asked for.
        case loading
        /// The refresh is over and the indicator goes away.
        case closing
    }
}

/// The newest gesture of a pull: one finger, from touch-down to release.
struct Touch: Hashable, Sendable {
    /// What may still come of it.
    ///
    ///     down ──release──▶ released
    ///      ├──its own sample asks (return, crossing)──▶ fired
    ///      ├──a refresh ends while it is down──▶ spent
    ///      └──cancel (also of fired and spent)──▶ cancelled
    enum Fate: Hashable, Sendable {
        case down
        case fired
        case spent
        case released
        case cancelled
    }

    /// 0 before the first gesture.
    var gesture = 0
    var fate = Fate.cancelled
    /// The highest offset since touch-down or the last unpriming; nil before the first sample.
    var peak: Double?

    /// Whether the finger still touches, and samples are expected.
    var isDown: Bool {
        switch fate {
        case .down, .fired, .spent: true
        case .released, .cancelled: false
        }
    }

    mutating func move(to offset: Double, _ configuration: PullConfiguration) {
        peak = configuration.unprimes(offset) ? offset : max(peak ?? offset, offset)
    }
}
