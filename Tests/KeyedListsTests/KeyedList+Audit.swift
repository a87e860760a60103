import Testing

@testable import KeyedLists

extension KeyedList {
    /// Checks everything that must hold between commits, however the list came to be.
    func audit(_ location: SourceLocation = #_sourceLocation) {
        let ordered = rowSlots
        let buried = slots(of: tombstoneOrder)
        let recent = slots(of: recency)
        let positions = ordered.map { slots[$0].row.position }
        let ages = recent.map { slots[$0].row.revision }
        #expect(journal.isEmpty && slots.allSatisfy { $0.entry < 0 }, sourceLocation: location)
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }, sourceLocation: location)
        #expect(positions.allSatisfy { 0 < $0 && $0 < 1 << 53 }, sourceLocation: location)
        #expect(zip(ages, ages.dropFirst()).allSatisfy { $0 >= $1 }, sourceLocation: location)
        #expect(ages.allSatisfy { 1 <= $0 && $0 <= revision }, sourceLocation: location)
        #expect(buried.map { slots[$0].row.revision }.allSatisfy { $0 > floor }, sourceLocation: location)
        #expect(0 <= floor && floor <= revision, sourceLocation: location)
        #expect(ordered.allSatisfy { slots[$0].life == .row }, sourceLocation: location)
        #expect(buried.allSatisfy { slots[$0].life == .tombstone }, sourceLocation: location)
        #expect(Set(recent) == Set(ordered).union(buried), sourceLocation: location)
        #expect(Set(index.numbers) == Set(recent) && index.count == recent.count, sourceLocation: location)
        #expect(recent.allSatisfy { anySlot(of: slots[$0].row.key) == $0 }, sourceLocation: location)
        #expect(ordered.count == count && buried.count == tombstoneCount, sourceLocation: location)
        #expect(recent.count == recency.count, sourceLocation: location)
        #expect(Set(freeSlots).isDisjoint(with: recent), sourceLocation: location)
        #expect(ordered.indices.allSatisfy { order.slot(at: $0) == ordered[$0] }, sourceLocation: location)
        #expect(ordered.enumerated().allSatisfy { order.index(of: $1) == $0 }, sourceLocation: location)
        #expect(freeSlots.count + recent.count == slots.count, sourceLocation: location)
    }

    private var rowSlots: [Int] {
        Array(
            sequence(state: order.first) { slot in
                defer { slot = slot.flatMap { order.slot(after: $0) } }
                return slot
            })
    }

    private func slots(of chain: LinkedSlots) -> [Int] {
        var slots: [Int] = []
        var slot = chain.first
        while let current = slot, slots.count <= self.slots.count {
            slots.append(current)
            slot = chain.slot(after: current)
        }
        return slots
    }
}
