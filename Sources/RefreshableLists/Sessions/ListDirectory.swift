import WebSockets

/// The lists that a server serves now, by name and in order. Shared by all loops.
final class ListDirectory: Sendable {
    private struct Lists {
        var all: [LiveList] = []
        var byName: [String: LiveList] = [:]
    }

    private let lists: Locked<Lists>

    init(_ all: [LiveList]) { lists = Locked(Self.index(all)) }

    /// The list of this name; nil where there is none.
    subscript(name: String) -> LiveList? { lists.withLock { $0.byName[name] } }

    /// The list of this name, if the visitor may know of it. One that they may not takes the same steps as one that is not
    /// there.
    subscript(name: String, for visitor: Visitor) -> LiveList? {
        let list = self[name]
        return visitor.sees(name) ? list : nil
    }

    /// In the order in which they are shown.
    var all: [LiveList] { lists.withLock { $0.all } }

    /// From now on these are served.
    func replace(with all: [LiveList]) { lists.withLock { $0 = Self.index(all) } }

    private static func index(_ all: [LiveList]) -> Lists {
        Lists(all: all, byName: Dictionary(all.map { ($0.name, $0) }) { first, _ in first })
    }
}
