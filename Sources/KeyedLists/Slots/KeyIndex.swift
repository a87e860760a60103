/// Finds numbers by key, in a table of hashes: the keys themselves lie where the numbers point.
///
///     hash of a key ─► [ … | 7 | 0 | · | 4 | … ] ─► is it the key of slot 7? of slot 0?
///
/// Eight bytes an entry, of which a quarter to five eighths are free; a dictionary would hold each key once more. It is
/// linear probing with removal that moves up what follows, so nothing marks what was removed: D. E. Knuth, "The Art of
/// Computer Programming", vol. 3, §6.4, algorithms L and R. Hashes are Swift's, seeded anew in each process, so that
/// nobody can choose keys that collide.
package struct KeyIndex: Sendable {
    /// What a key is first looked up by.
    package typealias Hash = UInt32

    private struct Entry {
        var hash: Hash
        /// −1 where the entry is free.
        var number: Int32
    }

    /// As many as a power of two, and at least one of them free; none before the first insertion.
    private var entries: [Entry] = []

    /// An empty index.
    package init() {}

    /// How many numbers there are.
    private(set) var count = 0

    /// The hash of a key, in this process.
    @inline(__always)
    package static func hash(of key: Key) -> Hash { Hash(truncatingIfNeeded: key.hashValue) }

    /// All numbers, in no order.
    var numbers: some Sequence<Int> { entries.lazy.filter { $0.number >= 0 }.map { Int($0.number) } }

    /// The number that was inserted with this hash and is the right one; `nil` if there is none.
    @inline(__always)
    package func number(_ hash: Hash, where isRight: (Int) -> Bool) -> Int? {
        guard !entries.isEmpty else { return nil }
        var place = home(of: hash)
        while entries[place].number >= 0 {
            let entry = entries[place]
            if entry.hash == hash, isRight(Int(entry.number)) { return Int(entry.number) }
            place = next(to: place)
        }
        return nil
    }

    /// Takes in a number that is not in the index.
    package mutating func insert(_ number: Int, _ hash: Hash) {
        if (count + 1) * 4 > entries.count * 3 { resize(for: count + 1) }
        place(Entry(hash: hash, number: Int32(number)))
        count += 1
    }

    /// Takes in a number unless one with this hash is as right; returns whether it did.
    @inline(__always)
    mutating func insert(_ number: Int, _ hash: Hash, unless isRight: (Int) -> Bool) -> Bool {
        guard self.number(hash, where: isRight) == nil else { return false }
        insert(number, hash)
        return true
    }

    /// Lets go of a number that was inserted with this hash.
    package mutating func remove(_ number: Int, _ hash: Hash) {
        var place = home(of: hash)
        while entries[place].number != number { place = next(to: place) }
        count -= 1
        var follower = next(to: place)
        while entries[follower].number >= 0 {
            // It may move up unless it would then stand before its home.
            if distance(from: home(of: entries[follower].hash), to: follower) >= distance(from: place, to: follower) {
                entries[place] = entries[follower]
                place = follower
            }
            follower = next(to: follower)
        }
        entries[place].number = -1
    }

    /// Makes room for so many numbers at once.
    mutating func reserveCapacity(_ capacity: Int) {
        if capacity * 4 > entries.count * 3 { resize(for: capacity) }
    }

    private mutating func resize(for capacity: Int) {
        var size = 16
        while capacity * 4 > size * 3 { size *= 2 }
        let old = entries
        entries = [Entry](repeating: Entry(hash: 0, number: -1), count: size)
        for entry in old where entry.number >= 0 { place(entry) }
    }

    private mutating func place(_ entry: Entry) {
        var place = home(of: entry.hash)
        while entries[place].number >= 0 { place = next(to: place) }
        entries[place] = entry
    }

    @inline(__always)
    private func home(of hash: Hash) -> Int { Int(hash) & (entries.count - 1) }

    @inline(__always)
    private func next(to place: Int) -> Int { (place + 1) & (entries.count - 1) }

    /// How many steps it is, around the end if need be.
    private func distance(from start: Int, to end: Int) -> Int { (end - start) & (entries.count - 1) }
}
