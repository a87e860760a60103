import Pulling

/// What happened so far to one pull, kept whole, and every rule that must hold of the next step. Where the reducer
/// keeps a number, the witness looks through all that it saw.
struct PullInvariants {
    private let configuration: PullConfiguration
    private var gesture = 0
    private var offsets: [Double] = []
    private var end: Ending? = .cancelled
    private var isSpent = false
    private var hasFired = false
    private var asked: Set<Int> = []
    private var told = Pull.Phase.waiting
    private var hasBegun: Bool

    private enum Ending { case released, cancelled }

    init(_ settings: Settings) {
        configuration = settings.configuration
        hasBegun = settings.isLoading
    }

    /// Watches one event; returns the rules that it broke.
    mutating func watch(_ handled: Replay.Handled) -> [String] {
        let expectedAnswer = expectedAnswer(to: handled)
        let fits = fits(handled)
        let isFirst = asked.isDisjoint(with: handled.actions.refresh.map { [$0] } ?? [])
        remember(handled)
        let rules: [(String, Bool)] =
            progressRules(handled) + [
                ("loading is left by end or refuse alone", leavesLoadingRightly(handled)),
                (
                    "what is ignored changes nothing but the count",
                    !isIgnored(handled) || handled.before.ignoring == handled.after
                ),
                ("a gesture asks for one refresh at most", isFirst),
                ("a refresh is asked for in the name of the newest gesture", isAskedRightly(handled)),
                (
                    "an answer is the expected one (\(expectedAnswer.map { "\($0)" } ?? "none"))",
                    handled.actions.answer == expectedAnswer
                ),
                ("what is sent twice has the effect of one", hasTheEffectOfOne(handled)),
                ("each accepted sample is answered, an ignored event is not", isToldRightly(handled)),
                ("nobody is left with another phase than waiting", told == .waiting || handled.after.isUp),
                ("the phase follows from the samples", phaseFollows(handled)),
                ("a fact is taken exactly when it fits", fits == nil || fits != isIgnored(handled)),
                ("only a finger that is down primes", handled.after.phase != .primed || end == nil),
                ("closing is left for a new gesture, a run or rest", leavesClosingRightly(handled)),
            ]
        return rules.filter { !$0.1 }.map(\.0)
    }

    private mutating func remember(_ handled: Replay.Handled) {
        if !isIgnored(handled) { remember(handled.event) }
        if let refresh = handled.actions.refresh {
            asked.insert(refresh)
            hasFired = end == nil
        }
        let isOver = handled.before.phase == .loading && handled.after.phase != .loading
        if end == nil, isOver { isSpent = true }
        if handled.event == .begin { hasBegun = true }
        if isOver { hasBegun = false }
        if let state = handled.actions.state { told = state.phase }
    }

    private mutating func remember(_ event: Pull.Event) {
        switch event {
        case .sample(let gesture, let offset):
            meet(gesture)
            offsets.append(offset)
        case .release(let gesture, _, _):
            meet(gesture)
            end = .released
        case .cancel(let gesture):
            meet(gesture)
            end = .cancelled
        case .begin, .refuse, .end, .settle: break
        }
    }

    private mutating func meet(_ gesture: Int) {
        guard gesture != self.gesture else { return }
        self.gesture = gesture
        (offsets, end, isSpent, hasFired) = ([], nil, false, false)
    }
}

extension PullInvariants {
    private func progressRules(_ handled: Replay.Handled) -> [(String, Bool)] {
        let (before, after) = (handled.before, handled.after)
        let isFrozen =
            switch (before.phase, after.phase) {
            case (.loading, .loading), (.loading, .closing), (.closing, .closing): true
            default: false
            }
        return [
            ("progress is the offset's, and 1 exactly where the threshold is reached", progressFollows(handled)),
            ("progress lies within 0…1", (0...1).contains(after.progress)),
            ("progress is frozen while loading and closing", !isFrozen || before.progress == after.progress),
        ]
    }

    private func progressFollows(_ handled: Replay.Handled) -> Bool {
        switch handled.event {
        case .sample(_, let offset) where !isIgnored(handled) && !isSpent && handled.before.phase != .loading,
            .release(_, let offset, _) where handled.actions.answer == .run:
            let (threshold, minimum) = (configuration.threshold, configuration.minimum)
            let (progress, isFull) = (handled.after.progress, handled.after.progress == 1)
            return progress == min(1, max(0, (offset - minimum) / (threshold - minimum)))
                && isFull == (offset >= threshold)
        default: return true
        }
    }

    /// Whether a fact of the list has a meaning now; nil for the finger's events.
    private func fits(_ handled: Replay.Handled) -> Bool? {
        switch handled.event {
        case .begin: !hasBegun
        case .refuse: handled.before.phase == .loading && !hasBegun
        case .end: handled.before.phase == .loading
        case .settle: handled.before.phase == .closing
        case .sample, .release, .cancel: nil
        }
    }

    private func leavesClosingRightly(_ handled: Replay.Handled) -> Bool {
        guard handled.before.phase == .closing, handled.after.phase != .closing else { return true }
        return switch handled.event {
        case .settle, .begin: true
        case .sample: !isSpent
        case .release: handled.actions.answer == .run
        case .cancel, .refuse, .end: false
        }
    }

    private func leavesLoadingRightly(_ handled: Replay.Handled) -> Bool {
        guard handled.before.phase == .loading, handled.after.phase != .loading else { return true }
        return handled.event == .end || handled.event == .refuse
    }

    private func isAskedRightly(_ handled: Replay.Handled) -> Bool {
        guard let refresh = handled.actions.refresh else {
            return handled.actions.answer != .run && handled.actions.answer != .joins
        }
        return refresh == handled.after.gesture && handled.after.phase == .loading
    }

    private func isToldRightly(_ handled: Replay.Handled) -> Bool {
        let state = handled.actions.state
        if isIgnored(handled) { return state == nil }
        if case .sample(let gesture, _) = handled.event { return state?.gesture == gesture && state?.phase != .closing }
        return state == nil || (state?.phase == .waiting && state?.progress == 0)
    }

    private func hasTheEffectOfOne(_ handled: Replay.Handled) -> Bool {
        var again = handled.after
        let actions = again.handle(handled.event)
        return actions.refresh == nil && (again == handled.after || again == handled.after.ignoring)
    }

    /// After a sample of a gesture that may still ask, the phase is what its offsets amount to from the first one on.
    private func phaseFollows(_ handled: Replay.Handled) -> Bool {
        guard case .sample = handled.event, !isIgnored(handled), handled.before.phase != .loading else { return true }
        guard !isSpent else {
            return handled.after.phase != .primed && handled.actions.state?.phase == .waiting
                && handled.actions.state?.progress == 0
        }
        return handled.after.phase == phaseOfOffsets
    }

    private var phaseOfOffsets: Pull.Phase {
        var phase = Pull.Phase.waiting
        for offset in offsets {
            if offset >= configuration.threshold {
                phase = configuration.trigger == .crossing ? .loading : .primed
            } else if phase == .primed, configuration.trigger == .return {
                phase = .loading
            } else if offset <= configuration.threshold - configuration.hysteresis {
                phase = .waiting
            }
        }
        return phase
    }

    /// What a release must be answered, by all that was seen before it.
    private func expectedAnswer(to handled: Replay.Handled) -> Pull.Answer? {
        guard case .release(let gesture, let offset, let peak) = handled.event else { return nil }
        guard [offset, peak ?? 0].allSatisfy({ abs($0) <= 10_000 }), gesture > 0 else { return nil }
        if gesture < self.gesture { return .repeated }
        let isNew = gesture > self.gesture
        if !isNew, let end { return end == .released ? .repeated : .spent }
        if !isNew, hasFired { return .own }
        if !isNew, isSpent { return .spent }
        let peaks = [offset, peak ?? (isNew ? nil : peakOfOffsets) ?? offset]
        let isHigh = peaks.contains { $0 >= configuration.threshold }
        let isBack = configuration.trigger == .release && offset <= configuration.threshold - configuration.hysteresis
        guard isHigh, !isBack else { return .belowThreshold }
        return handled.before.phase == .loading ? .joins : .run
    }

    private var peakOfOffsets: Double? {
        guard configuration.trigger == .release else { return offsets.max() }
        let unpriming = offsets.lastIndex { $0 <= configuration.threshold - configuration.hysteresis }
        return offsets[(unpriming ?? 0)...].max()
    }

    private func isIgnored(_ handled: Replay.Handled) -> Bool {
        handled.after.ignored > handled.before.ignored
    }
}

extension Pull {
    /// The same pull after an event that does not fit: no gesture is numbered 0.
    fileprivate var ignoring: Pull {
        var pull = self
        _ = pull.handle(.cancel(gesture: 0))
        return pull
    }

    fileprivate var isUp: Bool { phase == .primed || phase == .loading }
}
