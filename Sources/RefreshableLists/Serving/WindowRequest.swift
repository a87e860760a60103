import KeyedLists
import ListProtocol
import ListSources
import WebSockets

/// A window in the address of a request: `?first=120&count=60`, `?around=KEY&before=30&after=30` or `?last=60`; and what is looked
/// for: `?find=tea&filter=badge%20%3D%20fix&sort=-time`, where `filter` and `sort` may come several times.
struct WindowRequest: Equatable {
    /// No row follows once there are so many bytes of rows.
    static let mostBytes = 1 << 20

    let view: ListView
    /// What of the address says what is looked for, as it came.
    private let query: String

    /// - Returns: nil where all rows are asked for.
    init?(_ request: HTTPRequest) throws(UnreadableAddress) {
        let fields = FormFields([UInt8](request.query.utf8))
        var members: [String: JSONValue] = [:]
        for name in WindowMembers.names {
            guard let text = fields[name] else { continue }
            let number = name == "around" ? nil : Int(text)
            members[name] = number.map { .number(Double($0)) } ?? .string(text)
        }
        for name in ViewRequest.queryNames {
            let texts = fields.all(name).filter { !$0.isEmpty }.map { JSONValue.string($0) }
            if !texts.isEmpty { members[name] = texts.count == 1 ? texts[0] : .array(texts) }
        }
        guard !members.isEmpty else { return nil }
        let asked: ViewRequest
        do { asked = try ViewRequest(reading: members) } catch {
            throw UnreadableAddress(detail: error.sentence(called: Self.parameter))
        }
        do { view = try ListView(asked) } catch {
            throw UnreadableAddress(detail: error.sentence(called: Self.parameter))
        }
        query = request.query.split(separator: "&").filter { part in
            ViewRequest.queryNames.contains { part.hasPrefix("\($0)=") }
        }.joined(separator: "&")
    }

    /// The first rows: what those get of a list in windows who ask for no window.
    static let top = WindowRequest(.top)

    private init(_ view: ListView) {
        self.view = view
        query = ""
    }

    private static func parameter(_ name: String) -> String { "The parameter \"\(name)\"" }

    /// How many rows are asked for.
    var count: Int {
        switch view.window {
        case .first(_, let count), .last(let count): count
        case .around(_, let before, let after, _): before + 1 + after
        }
    }

    /// Where the rows before and after these are (RFC 8288): relative to the address that was asked for, so that it holds
    /// below any path of a proxy.
    ///
    /// - Parameters:
    ///   - range: the rows that are answered.
    ///   - total: how many there are.
    func links(beside range: Range<Int>, of total: Int) -> String? {
        func link(_ relation: String, _ range: Range<Int>) -> String {
            let query = query.isEmpty ? "" : "\(query)&"
            return "<?\(query)first=\(range.lowerBound)&count=\(range.count)>; rel=\"\(relation)\""
        }
        var links: [String] = []
        if range.lowerBound > 0 { links.append(link("prev", max(0, range.lowerBound - count)..<range.lowerBound)) }
        if range.upperBound < total { links.append(link("next", range.upperBound..<range.upperBound + count)) }
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }
}

/// The parameters of an address name no window, or nothing to look for.
struct UnreadableAddress: Error, Equatable {
    /// What is wrong, for the person who wrote it.
    let detail: String
}
