/// Finds the fewest rows to move.
enum Difference {
    /// Which of these, that are all different, can stay so that those which stay increase, and as many as possible do.
    ///
    /// The longest increasing subsequence, by the tops of piles as in C. Schensted, "Longest Increasing and Decreasing
    /// Subsequences" (1961), and M. L. Fredman (1975): O(n log n) at worst. As a pile is looked for from the end, a list
    /// that is nearly in order costs O(n).
    static func staying(_ positions: [Position]) -> [Bool] {
        var sorting = PatienceSorting(reserving: positions.count)
        var predecessors = [Int32](repeating: -1, count: positions.count)
        for (index, position) in positions.enumerated() {
            predecessors[index] = sorting.take(index, at: position)
        }
        var stays = [Bool](repeating: false, count: positions.count)
        var index = sorting.last
        while index >= 0 {
            stays[Int(index)] = true
            index = predecessors[Int(index)]
        }
        return stays
    }
}

/// For each length, the lowest position that an increasing subsequence of that length can end at.
private struct PatienceSorting {
    private var positions: [Position] = []
    private var indices: [Int32] = []

    init(reserving capacity: Int) {
        positions.reserveCapacity(capacity)
        indices.reserveCapacity(capacity)
    }

    /// The last of a longest subsequence; −1 if there is none.
    var last: Int32 { indices.last ?? -1 }

    /// Puts an element on its pile; returns the element that comes before it, or −1.
    mutating func take(_ index: Int, at position: Position) -> Int32 {
        let pile = pile(for: position)
        if pile == positions.count {
            positions.append(position)
            indices.append(Int32(index))
        } else {
            positions[pile] = position
            indices[pile] = Int32(index)
        }
        return pile == 0 ? -1 : indices[pile - 1]
    }

    /// The first pile whose top is higher, or a new one: steps back from the end in strides that double, then halves.
    private func pile(for position: Position) -> Int {
        var upper = positions.count
        var stride = 1
        while upper >= stride, positions[upper - stride] > position {
            upper -= stride
            stride *= 2
        }
        var lower = max(0, upper - stride)
        while lower < upper {
            let middle = (lower + upper) / 2
            if positions[middle] > position { upper = middle } else { lower = middle + 1 }
        }
        return lower
    }
}
