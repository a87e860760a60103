/// The newest run that a client has seen, and its progress: turns a list's states into the events of a `Pull`.
///
/// Any state may be left out for a newer one, so a list that was loading may be heard of next when it waits, or loads
/// again. What must have happened in between is filled in, each of `begin`, `end` and `settle` once for each run:
///
///     heard      waiting r6     loading r7     waiting r7      waiting r8             loading r9
///     to feed    (history)      begin          end, settle     begin, end, settle     begin
///
/// Make one with each `Pull`, before its first sample; keep both over a lost connection. Feed the list's states alone,
/// not the answers to releases: those may speak of a run that is long over.
public struct KnownRun: Hashable, Sendable {
    private var run: String?
    private var phase: Pull.Phase?

    /// No run was seen yet; one that has already ended when it is first seen produces no events.
    public init() {}

    /// Hears a state of the list and returns the events to feed, in order.
    ///
    /// - Parameters:
    ///   - phase: The list's: `loading`, `closing` or `waiting`. `primed` is a finger's; nothing is heard then.
    ///   - run: The run in progress, or else the last one (`last.run`); nil if there was none. Identifiers may repeat
    ///     in another epoch: a run that seems to go backwards is a new one.
    public mutating func hear(_ phase: Pull.Phase, run: String?) -> [Pull.Event] {
        guard phase != .primed else { return [] }
        defer { (self.run, self.phase) = (run, phase) }
        let known = self.phase ?? .waiting
        let isHistory = phase == .waiting && (self.phase == nil || run == nil)
        guard !isHistory, run != self.run || order(phase) < order(known) else {
            return steps(from: known, to: phase)
        }
        return (known == .loading ? [.end] : []) + [.begin] + steps(from: .loading, to: phase)
    }

    /// What happens to one run between two phases of its list.
    private func steps(from: Pull.Phase, to: Pull.Phase) -> [Pull.Event] {
        let all: [Pull.Event] = [.end, .settle]
        return Array(all[order(from)..<order(to)])
    }

    private func order(_ phase: Pull.Phase) -> Int {
        switch phase {
        case .loading: 0
        case .closing: 1
        case .waiting, .primed: 2
        }
    }
}
