/// What is due when, on one loop: a hierarchical timing wheel (Varghese and Lauck, "Hashed and Hierarchical Timing
/// Wheels", 1987). To set and to cancel takes constant time, however many wait. Pure: it is told what time it is.
///
/// ```
/// level 0   256 slots of 1 ms      due within 256 ms, to the millisecond
/// level 1    64 slots of 256 ms    within 16 s       ┐ moved to the level below
/// level 2    64 slots of 16 s      within 17 min     │ when the hand comes to
/// level 3    64 slots of 17 min    within 19 h       ┘ their slot's beginning
/// ```
/// What is due later than that waits in level 3 for another turn.
struct TimerWheel {
    /// Everything due at this moment or before has fired, or is about to.
    private(set) var now: UInt64
    /// How many wait.
    private(set) var count = 0
    private var slots = [[any WheelEntry]](repeating: [], count: Level.slotCount)
    private var counts = [Int](repeating: 0, count: Level.all.count)
    private var due: [any WheelEntry] = []
    private var head = 0
    private var serial: UInt64 = 0

    /// A wheel with nothing in it.
    ///
    /// - Parameter now: milliseconds on the clock that deadlines are on.
    init(now: UInt64 = 0) {
        self.now = now
    }

    /// Sets or resets an entry. A deadline that has passed is due at once.
    mutating func set(_ entry: any WheelEntry, at deadline: UInt64) {
        cancel(entry)
        count += 1
        serial += 1
        entry.place.deadline = deadline
        entry.place.serial = serial
        put(entry)
    }

    /// Makes sure that an entry does not fire. Harmless if it waits for nothing.
    mutating func cancel(_ entry: any WheelEntry) {
        let place = entry.place
        guard place.isSet else { return }
        entry.place.slot = WheelPosition.nowhere
        count -= 1
        guard place.slot >= 0 else { return }
        let slot = Int(place.slot)
        counts[Level.of(slot: slot)] -= 1
        guard let last = slots[slot].popLast(), last !== entry else { return }
        slots[slot][Int(place.index)] = last
        last.place.index = place.index
    }

    /// The next one that is due at `time` or before, in order; nil when all of them were taken. It waits no more.
    mutating func next(at time: UInt64) -> (any WheelEntry)? {
        while true {
            while head < due.count {
                let entry = due[head]
                head += 1
                guard entry.place.slot == WheelPosition.due else { continue }
                entry.place.slot = WheelPosition.nowhere
                count -= 1
                return entry
            }
            due.removeAll(keepingCapacity: true)
            head = 0
            guard now < time else { return nil }
            step(towards: time)
        }
    }

    /// When `next` is to be asked again, at the latest: never later than the first deadline; nil if nothing waits.
    var nextTime: UInt64? {
        if head < due.count { return now }
        return Level.all.filter { counts[$0.number] > 0 }.compactMap(nextTime).min()
    }

    /// Drops everything.
    mutating func removeAll() {
        for entry in slots.joined() { entry.place.slot = WheelPosition.nowhere }
        for entry in due where entry.place.slot == WheelPosition.due { entry.place.slot = WheelPosition.nowhere }
        self = TimerWheel(now: now)
    }

    private func nextTime(in level: Level) -> UInt64? {
        let turn = now >> level.shift
        return (1...UInt64(level.size)).first { !slots[level.slot(at: (turn + $0) << level.shift)].isEmpty }
            .map { (turn + $0) << level.shift }
    }

    private mutating func put(_ entry: any WheelEntry) {
        let deadline = entry.place.deadline
        guard deadline > now else {
            entry.place.slot = WheelPosition.due
            return due.append(entry)
        }
        let level = Level.all.first { deadline - now < $0.span } ?? Level.last
        let slot = level.slot(at: min(deadline, now + Level.last.span - 1))
        entry.place.slot = Int32(slot)
        entry.place.index = Int32(slots[slot].count)
        slots[slot].append(entry)
        counts[level.number] += 1
    }

    /// Moves the hand to the next millisecond at which something may be due, but not beyond `time`.
    private mutating func step(towards time: UInt64) {
        let empty = Level.all.first { counts[$0.number] > 0 }
        guard let empty else { return now = time }
        let next = ((now >> empty.shift) + 1) << empty.shift
        guard next <= time else { return now = time }
        now = next
        for level in Level.all.reversed() where now & (1 << level.shift - 1) == 0 { empties(level) }
        if due.count > 1 { due.sort { $0.place.serial < $1.place.serial } }
    }

    /// What waits in the slot that the hand is at finds its place anew, nearer, or is due.
    private mutating func empties(_ level: Level) {
        let slot = level.slot(at: now)
        let entries = slots[slot]
        guard !entries.isEmpty else { return }
        slots[slot].removeAll(keepingCapacity: level.number == 0)
        counts[level.number] -= entries.count
        for entry in entries { put(entry) }
    }
}

extension TimerWheel {
    /// One ring of slots.
    private struct Level {
        let number: Int
        /// A slot is 2^shift milliseconds.
        let shift: UInt64
        let size: Int
        let firstSlot: Int

        /// Milliseconds that it reaches ahead.
        var span: UInt64 { UInt64(size) << shift }

        func slot(at time: UInt64) -> Int { firstSlot + Int((time >> shift) & UInt64(size - 1)) }

        static let all = [
            Level(number: 0, shift: 0, size: 256, firstSlot: 0),
            Level(number: 1, shift: 8, size: 64, firstSlot: 256),
            Level(number: 2, shift: 14, size: 64, firstSlot: 320),
            Level(number: 3, shift: 20, size: 64, firstSlot: 384),
        ]
        static let last = all[3]
        static let slotCount = 448

        static func of(slot: Int) -> Int { slot < 256 ? 0 : 1 + (slot - 256) / 64 }
    }
}

/// An entry of a `TimerWheel`: something that is due at a time.
protocol WheelEntry: AnyObject {
    /// Where it waits; the wheel's own.
    var place: WheelPosition { get set }

    /// It is due. May set itself, and others, again.
    func fire()
}

/// Where an entry waits in a `TimerWheel`, and until when.
struct WheelPosition {
    /// Milliseconds on the loop's clock.
    var deadline: UInt64 = 0
    /// Order of setting, so that what is due at the same moment fires in the order in which it was set.
    var serial: UInt64 = 0
    var slot = Self.nowhere
    var index: Int32 = 0

    /// Whether the entry waits in a wheel.
    var isSet: Bool { slot != Self.nowhere }

    static let nowhere: Int32 = -1
    /// In the queue of what fires next.
    static let due: Int32 = -2
}
