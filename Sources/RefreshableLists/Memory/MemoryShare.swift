import Synchronization

/// So much of something that all lists together may keep for visitors: answers, or bytes of rows. From any thread.
///
/// A list may keep as much as is still free for all the others. So whoever has one list keep a lot leaves another as much
/// again, those who do so with two leave a third, and no list has to take anything from another's thread.
final class MemoryShare: Sendable {
    /// All of it.
    let size: Int
    private let taken = Atomic<Int>(0)

    init(_ size: Int) { self.size = size }

    /// What nobody has. Below nothing for a moment where several take at once.
    var free: Int { size - taken.load(ordering: .relaxed) }

    /// What one holder has of it; given back when nobody holds this any more.
    final class Part: Sendable {
        private let share: MemoryShare
        private let held = Atomic<Int>(0)

        init(of share: MemoryShare) { self.share = share }

        deinit { give(held.load(ordering: .relaxed)) }

        /// How much it has.
        var size: Int { held.load(ordering: .relaxed) }

        /// Whether so much more would be more than is left for the others.
        func isTooMuch(_ amount: Int) -> Bool { size + amount > share.free - amount }

        /// How much more it has than is left for the others.
        var excess: Int { max(0, size - max(0, share.free)) }

        /// Takes it, whether it is there or not.
        func take(_ amount: Int) {
            held.add(amount, ordering: .relaxed)
            share.taken.add(amount, ordering: .relaxed)
        }

        func give(_ amount: Int) {
            held.subtract(amount, ordering: .relaxed)
            share.taken.subtract(amount, ordering: .relaxed)
        }
    }
}

/// What all lists of a process share of the memory that visitors may have it keep.
struct SharedMemory: Sendable {
    /// Bytes of rows that are lent to those who read them.
    let rows: MemoryShare
    /// Keys with their answers.
    let answers: MemoryShare

    init(_ budget: MemoryBudget) {
        rows = MemoryShare(budget.rows)
        answers = MemoryShare(budget.answers)
    }
}
