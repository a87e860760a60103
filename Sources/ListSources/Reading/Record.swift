/// One row of what a source reads, before it is mapped.
struct Record {
    /// Where it is, as people count.
    enum Place: Hashable, CustomStringConvertible {
        case line(Int)
        /// An element of a document, and the line on which it begins.
        case row(Int, line: Int)
        /// A row of what has no lines.
        case number(Int)

        var description: String {
            switch self {
            case .line(let line): "Line \(line)"
            case .row(let row, let line): "Row \(row) (line \(line))"
            case .number(let number): "Row \(number)"
            }
        }

        /// This place and another, in a few words: "lines 3 and 5".
        func phrase(with other: Place) -> String {
            switch (self, other) {
            case (.number(let first), .number(let second)): "rows \(first) and \(second)"
            default: "lines \(line) and \(other.line)"
            }
        }

        private var line: Int {
            switch self {
            case .line(let line), .row(_, let line), .number(let line): line
            }
        }
    }

    /// What the format has cut already.
    enum Content {
        case line(String)
        case table([String])
        /// The cells of a table that knows NULL, which is nil here.
        case values([String?])
        case json(JSONRecord)
    }

    let place: Place
    let content: Content
}
