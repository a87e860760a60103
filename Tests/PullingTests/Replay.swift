import Pulling

/// A pull, driven by the commands of a trace.
struct Replay {
    /// One event that a command came to, and what it did.
    struct Handled {
        let event: Pull.Event
        let before: Pull
        let actions: Pull.Actions
        let after: Pull
    }

    private(set) var pull: Pull
    private var known = KnownRun()
    private var gesture = 1
    private var offset: Double = 0

    init(_ settings: Settings) {
        pull = Pull(settings.configuration, isLoading: settings.isLoading)
    }

    /// Performs a command; returns each event that was fed.
    mutating func perform(_ command: Command) -> [Handled] {
        events(of: command).map { event in
            let before = pull
            let actions = pull.handle(event)
            return Handled(event: event, before: before, actions: actions, after: pull)
        }
    }

    /// Performs a command; returns every column of its line.
    mutating func observe(_ command: Command) -> Columns {
        let before = pull
        let handled = perform(command)
        return Columns(command, handled, from: before, to: pull, gesture: gesture)
    }

    private mutating func events(of command: Command) -> [Pull.Event] {
        switch command {
        case .touch:
            gesture += 1
            offset = 0
            return []
        case .pull(let offset, let gesture):
            self.offset = offset
            return [.sample(gesture: gesture ?? self.gesture, offset: offset)]
        case .release(let offset, let gesture, let peak):
            self.offset = offset ?? self.offset
            return [.release(gesture: gesture ?? self.gesture, offset: self.offset, peak: peak)]
        case .cancel(let gesture): return [.cancel(gesture: gesture ?? self.gesture)]
        case .fact(let event): return [event]
        case .list(let phase, let run): return known.hear(phase, run: run)
        }
    }
}
