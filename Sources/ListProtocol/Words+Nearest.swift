extension [String] {
    /// The word that a person most likely meant: at most two slips away, and not by rewriting most of it. Capitals don't
    /// count.
    func nearest(to text: String) -> String? {
        let typed = Array<Unicode.Scalar>(text.lowercased().unicodeScalars)
        let candidates = map { (word: $0, slips: slips(between: typed, and: Array<Unicode.Scalar>($0.unicodeScalars))) }
        guard let best = candidates.min(by: { $0.slips < $1.slips }) else { return nil }
        return best.slips <= 2 && 2 * best.slips < typed.count ? best.word : nil
    }
}

/// How many letters must be inserted, removed, replaced, or exchanged with their neighbour: the optimal string alignment
/// distance (Boytsov, "Indexing methods for approximate dictionary searching", 2011).
private func slips(between left: [Unicode.Scalar], and right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (i, letter) in left.enumerated() {
        var row = [i + 1]
        for (j, other) in right.enumerated() {
            var least = Swift.min(last[j] + (letter == other ? 0 : 1), last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                least = Swift.min(least, beforeLast[j - 1] + 1)
            }
            row.append(least)
        }
        beforeLast = last
        last = row
    }
    return last[right.count]
}
