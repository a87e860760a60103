/// A line by which a command tells how far it is: `#progress 3/10 Reading mail`, `#progress 3`.
struct ProgressMark: Hashable, Sendable {
    /// The longest note that is shown, in characters. It stands on one line of a phone.
    static let noteLimit = 120

    var completed: Int
    var total: Int?
    var note: String?

    /// Nil if the line is no mark: it is a row then.
    ///
    /// - Parameter line: without its end.
    init?(_ line: [UInt8]) {
        guard line.starts(with: ProgressLines.beginning) else { return nil }
        let text = String(decoding: line.dropFirst(ProgressLines.beginning.count), as: UTF8.self)
        let words = text.split(maxSplits: 1) { $0 == " " || $0 == "\t" || $0 == "\r" }
        let numbers = (words.first ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let completed = numbers.first.flatMap({ Self.count($0) }) else { return nil }
        self.completed = completed
        if numbers.count == 2 {
            guard let total = Self.count(numbers[1]) else { return nil }
            self.total = total > 0 ? max(total, completed) : nil
        }
        let note = words.dropFirst().first.map { $0.filter { !$0.isNewline }.prefix(Self.noteLimit) } ?? ""
        self.note = note.allSatisfy(\.isWhitespace) ? nil : String(note)
    }

    func report(to run: any RowSink) { run.progress(completed, of: total, note: note) }

    /// Digits alone: neither a sign nor more than a page can count (2^53).
    private static func count(_ text: Substring) -> Int? {
        guard 1...15 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }
}
