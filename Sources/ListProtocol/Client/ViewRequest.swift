public import KeyedLists

/// What somebody wants to look at: a window, of all rows or of those that they look for.
public struct ViewRequest: Hashable, Sendable {
    /// The part that is looked at.
    public var window: Window
    /// Words, each of which is somewhere in a row; empty: none.
    public var find: String
    /// Conditions that rows meet, as in settings: `badge = fix`.
    public var filter: [String]
    /// Fields by which rows are sorted, as in settings: `-time`.
    public var sort: [String]
    /// Whoever begins to watch wants all rows instead, where the list has no more than so many.
    public var allUpTo: Int?

    /// A request, by default for all rows in their order.
    public init(
        _ window: Window, find: String = "", filter: [String] = [], sort: [String] = [], allUpTo: Int? = nil
    ) {
        (self.window, self.find, self.filter, self.sort, self.allUpTo) = (window, find, filter, sort, allUpTo)
    }

    /// The names of what is looked for.
    public static let queryNames = ["find", "filter", "sort"]

    /// Reads the members of a window, and of what is looked for.
    public init(reading members: [String: JSONValue]) throws(WindowError) {
        window = try WindowMembers.read(members)
        allUpTo = try WindowMembers.allUpTo(members)
        find = try Self.texts("find", members, isSingle: true).first ?? ""
        filter = try Self.texts("filter", members)
        sort = try Self.texts("sort", members)
    }

    /// Several texts, or one.
    private static func texts(
        _ name: String, _ members: [String: JSONValue], isSingle: Bool = false
    ) throws(WindowError) -> [String] {
        let values: [JSONValue] =
            switch members[name] {
            case nil, .null: []
            case .array(let values) where !isSingle: values
            case .some(let value): [value]
            }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value, text.utf8.count <= 256 else {
                throw .text(name, isSingle: isSingle, came: value)
            }
            texts.append(text)
        }
        return texts
    }

    /// Writes what `init(reading:)` reads.
    func write(to writer: inout JSONWriter) {
        window.write(to: &writer)
        writer.member("allUpTo", allUpTo)
        if !find.isEmpty { writer.member("find", find) }
        for (name, texts) in [("filter", filter), ("sort", sort)] as [(StaticString, [String])] where !texts.isEmpty {
            writer.name(name)
            writer.beginArray()
            for text in texts { writer.value(text) }
            writer.endArray()
        }
    }
}
