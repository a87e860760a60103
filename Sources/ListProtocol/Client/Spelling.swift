/// Finds the word that a person probably meant.
package enum Spelling {
    /// The nearest of `words`; nil if none is near: at most one change in three letters, and never more than three. Capitals
    /// don't count.
    package static func nearest(to word: String, in words: [String]) -> String? {
        let typed = letters(word)
        let limit = min(3, max(1, typed.count / 3))
        let ranked = words.map { (word: $0, distance: distance(typed, letters($0))) }
        return ranked.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.word
    }

    private static func letters(_ word: String) -> [Unicode.Scalar] { Array(word.lowercased().unicodeScalars) }

    /// How many letters are missing, too many, wrong, or exchanged with their neighbour: the optimal string alignment
    /// distance (Boytsov, "Indexing methods for approximate dictionary searching", 2011).
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let isSame = left[row] == right[column]
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
