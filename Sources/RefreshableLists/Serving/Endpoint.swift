import KeyedLists
import WebSockets

/// What a request is about, by its address alone. Pure.
///
/// A path is split first and each segment decoded then, so that a slash in a key, sent as `%2F`, parts nothing.
enum Endpoint: Equatable {
    case healthz
    case readyz
    case metrics
    case lists
    case list(String)
    case refresh(String)
    case row(list: String, Key)
    /// `.` or `..` stands where a key does: clients and proxies would resolve it, so who names it may mean another row.
    case ambiguousRow
    /// A file, or nothing.
    case other

    init(_ request: HTTPRequest) {
        let segments = request.segments
        switch segments.count {
        case 1:
            self =
                ["healthz": .healthz, "readyz": .readyz, "metrics": .metrics, "lists": .lists][segments[0]] ?? .other
        case 2 where segments[0] == "lists": self = .list(segments[1])
        case 3 where segments[0] == "lists" && segments[2] == "refresh": self = .refresh(segments[1])
        case 4... where segments[0] == "lists" && segments[2] == "rows":
            let key = segments[3...]
            self =
                key.contains { $0 == "." || $0 == ".." }
                ? .ambiguousRow : .row(list: segments[1], Key(key.joined(separator: "/")))
        default: self = .other
        }
    }
}
