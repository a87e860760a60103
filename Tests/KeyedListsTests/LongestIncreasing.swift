/// The length of the longest increasing subsequence, by looking at every pair.
func longestIncreasing(_ positions: [Int]) -> Int {
    var lengths: [Int] = []
    for (index, position) in positions.enumerated() {
        let before = zip(positions, lengths).prefix(index).filter { $0.0 < position }.map(\.1).max() ?? 0
        lengths.append(before + 1)
    }
    return lengths.max() ?? 0
}
