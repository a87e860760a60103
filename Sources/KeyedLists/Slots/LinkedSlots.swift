/// An order of slots, as a ring of links: to insert, remove or step costs the same however long it is.
///
///     end ⇄ 4 ⇄ 0 ⇄ 7 ⇄ end        slot(after: nil) is 4, slot(after: 7) is nil
///
/// `nil` stands for the end, which lies before the first and after the last. Slots are numbers from 0 on; their links lie
/// in one array, so a chain of a million is one allocation.
struct LinkedSlots: Sendable {
    private struct Links {
        var previous: Int32
        var next: Int32
    }

    /// The links of slot n are at n + 1, those of the end at 0. Links of slots outside the chain mean nothing.
    private var links = [Links(previous: 0, next: 0)]
    /// How many slots are in the chain.
    private(set) var count = 0

    /// The first slot; `nil` if there is none.
    var first: Int? { slot(after: nil) }

    /// The last slot; `nil` if there is none.
    var last: Int? { slot(before: nil) }

    /// The slot after one that is in the chain, or after the end.
    @inline(__always)
    func slot(after slot: Int?) -> Int? {
        let next = Int(links[(slot ?? -1) + 1].next)
        return next == 0 ? nil : next - 1
    }

    /// The slot before one that is in the chain, or before the end.
    @inline(__always)
    func slot(before slot: Int?) -> Int? {
        let previous = Int(links[(slot ?? -1) + 1].previous)
        return previous == 0 ? nil : previous - 1
    }

    /// Makes room for slots up to a number at once.
    mutating func reserveCapacity(_ slots: Int) {
        links.reserveCapacity(slots + 1)
    }

    /// Takes in a slot that is not in the chain, after another or, by default, at the beginning.
    mutating func insert(_ slot: Int, after other: Int? = nil) {
        let place = slot + 1
        while place >= links.count { links.append(Links(previous: 0, next: 0)) }
        let previous = (other ?? -1) + 1
        let next = Int(links[previous].next)
        links[place] = Links(previous: Int32(previous), next: Int32(next))
        links[previous].next = Int32(place)
        links[next].previous = Int32(place)
        count += 1
    }

    /// Takes in a slot that is not in the chain, at the end.
    mutating func append(_ slot: Int) {
        insert(slot, after: last)
    }

    /// Lets go of a slot that is in the chain.
    mutating func remove(_ slot: Int) {
        let removed = links[slot + 1]
        links[Int(removed.previous)].next = removed.next
        links[Int(removed.next)].previous = removed.previous
        count -= 1
    }
}
