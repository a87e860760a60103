/// One row of what a source reads, before it is mapped.
struct Record {
    /// Where it is, as people count.
    enum Place: Hashable, CustomStringConvertible {
        case line(Int)
        /// An element of a document, and the line on which it begins.
        case row(Int, line: Int)

        var description: String {
            switch self {
            case .line(let line): "Line \(line)"
            case .row(let row, let line): "Row \(row) (line \(line))"
            }
        }

        var line: Int {
            switch self {
            case .line(let line), .row(_, let line): line
            }
        }
    }

    /// What the format has cut already.
    enum Content {
        case line(String)
        case table([String])
        case json(JSONRecord)
    }

    let place: Place
    let content: Content
}
