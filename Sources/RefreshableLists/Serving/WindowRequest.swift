import KeyedLists
import ListProtocol
import WebSockets

/// A window in the address of a request: `?first=120&count=60`, `?around=KEY&before=30&after=30` or `?last=60`.
struct WindowRequest: Equatable {
    /// No row follows once there are so many bytes of rows.
    static let mostBytes = 1 << 20

    let window: Window

    /// - Returns: nil where all rows are asked for.
    init?(_ request: HTTPRequest) throws(WindowError) {
        let fields = FormFields([UInt8](request.query.utf8))
        var members: [String: JSONValue] = [:]
        for name in WindowMembers.names {
            guard let text = fields[name] else { continue }
            let number = name == "around" ? nil : Int(text)
            members[name] = number.map { .number(Double($0)) } ?? .string(text)
        }
        guard !members.isEmpty else { return nil }
        window = try WindowMembers.read(members)
    }

    /// What is wrong with it, for the person who wrote the request.
    static func detail(_ error: WindowError) -> String { error.sentence { "The parameter \"\($0)\"" } }

    /// How many rows are asked for.
    var count: Int {
        switch window {
        case .first(_, let count), .last(let count): count
        case .around(_, let before, let after, _): before + 1 + after
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
}
