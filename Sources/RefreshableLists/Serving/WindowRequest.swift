import KeyedLists
import WebSockets

/// A window in the address of a request: `?first=120&count=60`, `?around=KEY&before=30&after=30` or `?last=60`.
struct WindowRequest: Equatable {
    /// The most rows that are answered at a time.
    static let mostRows = 1000
    /// No row follows once there are so many bytes of rows.
    static let mostBytes = 1 << 20

    private static let (usualCount, usualSide) = (100, 30)
    private static let names = ["first", "count", "around", "before", "after", "last"]

    let window: Window

    /// - Returns: nil where all rows are asked for.
    /// - Throws: what can't be read, in a sentence for the person who wrote the request.
    init?(_ request: HTTPRequest) throws(Unreadable) {
        let fields = FormFields([UInt8](request.query.utf8))
        let given = Self.names.filter { fields[$0] != nil }
        guard !given.isEmpty else { return nil }
        func number(_ name: String, in range: ClosedRange<Int>, usual: Int) throws(Unreadable) -> Int {
            guard let text = fields[name] else { return usual }
            guard let number = Int(text), range.contains(number) else {
                let most = range.upperBound == .max ? "on" : "to \(range.upperBound)"
                throw Unreadable(
                    "The parameter \"\(name)\" should be a whole number from \(range.lowerBound) \(most), not \"\(text)\"."
                )
            }
            return number
        }
        func check(_ names: String...) throws(Unreadable) {
            guard let stranger = given.first(where: { !names.contains($0) }) else { return }
            throw Unreadable(
                "The parameter \"\(stranger)\" does not go with \"\(names[0])\". Ask by \"first\" and \"count\"; by \"around\", "
                    + "\"before\" and \"after\"; or by \"last\".")
        }
        if let key = fields["around"] {
            try check("around", "before", "after")
            window = .around(
                Key(key), before: try number("before", in: 0...(Self.mostRows / 2 - 1), usual: Self.usualSide),
                after: try number("after", in: 0...(Self.mostRows / 2), usual: Self.usualSide))
        } else if fields["last"] != nil {
            try check("last")
            window = .last(try number("last", in: 1...Self.mostRows, usual: Self.usualCount))
        } else {
            try check("first", "count")
            window = .first(
                try number("first", in: 0 ... .max, usual: 0),
                count: try number("count", in: 1...Self.mostRows, usual: Self.usualCount))
        }
    }

    /// How many rows are asked for.
    var count: Int {
        switch window {
        case .first(_, let count), .last(let count): count
        case .around(_, let before, let after): before + 1 + after
        }
    }

    /// Where the rows before and after these are (RFC 8288): relative to the address that was asked for, so that it holds
    /// below any path of a proxy.
    ///
    /// - Parameters:
    ///   - range: the rows that are answered.
    ///   - total: how many the list has.
    func links(beside range: Range<Int>, of total: Int) -> String? {
        func link(_ relation: String, _ range: Range<Int>) -> String {
            "<?first=\(range.lowerBound)&count=\(range.count)>; rel=\"\(relation)\""
        }
        var links: [String] = []
        if range.lowerBound > 0 { links.append(link("prev", max(0, range.lowerBound - count)..<range.lowerBound)) }
        if range.upperBound < total { links.append(link("next", range.upperBound..<range.upperBound + count)) }
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }

    /// Why a window can't be read.
    struct Unreadable: Error {
        let detail: String

        init(_ detail: String) { self.detail = detail }
    }
}
