/// Which list's broadcast goes on next on a loop, and when it has to let the loop's other work in. Pure.
///
/// ```
///   slice: at most 2 ms                        others     slice
///   A ▓▓ B ▓▓ C ▓▓ A ▓▓ B ▓▓ C ▓▓ A ▓▓  ──▶  pulls, …  ──▶  B ▓▓ C ▓▓ …
///     └ a slice: a few watchers
/// ```
/// Lists take turns by helpings, so that one with few watchers does not wait for one with thousands.
struct SliceScheduler<List: AnyObject> {
    /// How long a slice may last, in milliseconds of uptime: counted from the beginning of the millisecond in which it
    /// began, so that it is over by less than one slice, if at all.
    static var length: Int64 { 2 }

    /// Those that have something to send, in the order of their turns.
    private var waiting: [List] = []
    private var turn = 0
    private var end: Int64?

    /// Whether nobody has anything to send.
    var isEmpty: Bool { waiting.isEmpty }

    /// A list has something to send. It comes last; one that waits already keeps its turn.
    mutating func add(_ list: List) {
        guard !waiting.contains(where: { $0 === list }) else { return }
        waiting.insert(list, at: turn)
        turn = (turn + 1) % waiting.count
    }

    /// A list has nothing more to send, or is gone.
    mutating func remove(_ list: List) {
        guard let index = waiting.firstIndex(where: { $0 === list }) else { return }
        waiting.remove(at: index)
        if index < turn { turn -= 1 }
        if turn >= waiting.count { turn = 0 }
    }

    /// The list whose turn it is; nil where none waits, or the slice is over. The first call after that begins a slice.
    mutating func next(at now: Int64) -> List? {
        let end = end ?? now + Self.length
        guard now < end, !waiting.isEmpty else {
            self.end = nil
            return nil
        }
        self.end = end
        let list = waiting[turn]
        turn = (turn + 1) % waiting.count
        return list
    }
}
