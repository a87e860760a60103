import HTTPTypes

/// Where another server serves this one: a path such as `/live`, or the root. A pure rule.
struct MountPath: Hashable, Sendable {
    /// Where the path of a request lies.
    enum Place: Hashable {
        case outside
        /// At the path itself, from which links of the page would lead astray: it is at `location`, relative to where it was asked for.
        case itself(location: String)
        /// Below it: path and query from there on, with the slash.
        case inside(String)
    }

    /// Empty for the root; else it begins with a slash, and does not end with one.
    private let path: String

    /// Nil for what is no path.
    ///
    /// - Parameter text: such as `/live` or `/live/`; empty or `/` is the root.
    init?(_ text: String) {
        let path = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard path.isEmpty || path.hasPrefix("/") && !path.hasSuffix("/") else { return nil }
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 }) else { return nil }
        self.path = path
    }

    static let root = MountPath("/")!

    func place(of request: HTTPRequest) -> Place {
        guard let target = request.path, target.utf8.starts(with: path.utf8) else { return .outside }
        let rest = target.dropFirst(path.count)
        if rest.hasPrefix("/") { return .inside(String(rest)) }
        guard !path.isEmpty, rest.isEmpty || rest.hasPrefix("?"), let slash = path.lastIndex(of: "/") else {
            return .outside
        }
        return .itself(location: "\(path[path.index(after: slash)...])/\(rest)")
    }
}
