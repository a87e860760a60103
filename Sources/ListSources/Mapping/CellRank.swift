/// Where a cell stands among others: a number, a time, or a text.
enum CellRank: Hashable {
    case number(Double)
    /// Milliseconds since 1970.
    case time(Int64)
    /// In small letters, as bytes: Swift's strings take texts for equal that differ in them.
    case text([UInt8])

    init(_ cell: String) {
        if let number = Self.number(cell) {
            self = .number(number)
        } else if let time = Timestamp.milliseconds(cell) {
            self = .time(time)
        } else {
            self = .text(Array(cell.lowercased().utf8))
        }
    }

    /// Digits with a sign, a point or an exponent, or a percent sign behind them. Not `nan`, `inf` and `0x1p3`, which
    /// Swift reads as numbers but people as texts.
    private static func number(_ cell: String) -> Double? {
        let digits = cell.hasSuffix("%") ? cell.dropLast() : cell[...]
        guard digits.utf8.contains(where: { (48...57).contains($0) }),
            digits.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }),
            let number = Double(digits), number.isFinite
        else { return nil }
        return number == 0 ? 0 : number
    }
}

extension CellRank: Comparable {
    static func < (left: CellRank, right: CellRank) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.time(let left), .time(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        case (.number, _): true
        case (.time, .text): true
        default: false
        }
    }
}
