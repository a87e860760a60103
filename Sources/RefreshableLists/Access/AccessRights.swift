/// What somebody may do, list by list.
///
/// ```swift
/// let rights: AccessRights = ["*": [.read], "board": [.read, .push], "salaries": []]
/// ```
/// What is said of a list by its name counts, and nothing else; `*` is said of all others. Nobody finds out about a list
/// of which nothing is allowed.
public struct AccessRights: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// By the name of the list, or `*`.
    public var lists: [String: Set<AccessRight>]

    /// Rights by the name of the list, or `*`.
    public init(_ lists: [String: Set<AccessRight>] = [:]) { self.lists = lists }

    /// As above. Rights that are said twice of one list are joined.
    public init(dictionaryLiteral elements: (String, Set<AccessRight>)...) {
        lists = Dictionary(elements) { $0.union($1) }
    }

    /// What may be done with a list, whether or not there is one of that name.
    public subscript(list: String) -> Set<AccessRight> { lists[list] ?? lists["*"] ?? [] }

    /// Of these, what only reads.
    var reading: AccessRights { AccessRights(lists.mapValues { $0.intersection([.read]) }) }

    /// Whether nothing may be done at all.
    public var isEmpty: Bool { lists.values.allSatisfy(\.isEmpty) }

    /// Whether every list that there is or will be may be read: whoever may is told what concerns all of them.
    var readsAll: Bool { lists["*", default: []].contains(.read) && lists.values.allSatisfy { $0.contains(.read) } }
}
