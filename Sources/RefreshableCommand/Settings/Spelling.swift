/// Finds the word that a person probably meant.
enum Spelling {
    /// The nearest of `words`; nil if none is near: at most one change in three letters, and never more than three.
    static func nearest(to word: String, in words: [String]) -> String? {
        let typed = Array(word.lowercased())
        let limit = min(3, max(1, typed.count / 3))
        let ranked = words.map { (word: $0, distance: distance(typed, Array($0.lowercased()))) }
        return ranked.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.word
    }

    /// The nearest word, or all of them if none is near.
    static func hint(for word: String, in words: [String]) -> SettingsFault.Hint {
        nearest(to: word, in: words).map { .word($0) } ?? .words(words)
    }

    /// How many letters are missing, too many, wrong, or swapped with their neighbour (optimal string alignment).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
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
