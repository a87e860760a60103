public import KeyedLists

/// The members that say what part of a list is looked at, in a message and in the address of a request.
///
///     first, count                      so many rows from an index on
///     around, before, after, index      the row of a key, and so many before and after it; where it is gone, about an index
///     last                              so many rows at the end
public enum WindowMembers {
    /// The most rows that a window has when it is laid.
    public static let mostRows = 1000
    /// What is meant where it is left out.
    private static let usual = (count: 100, side: 30)

    /// The names of all of them.
    public static let names = kinds.flatMap(\.self)
    /// Those of each kind of window, of which the first tells it; the last kind is meant where none does.
    private static let kinds = [["around", "before", "after", "index"], ["last"], ["first", "count"]]

    /// Reads a window. What is null counts as left out, and members of other names are ignored.
    public static func read(_ members: [String: JSONValue]) throws(WindowError) -> Window {
        let given = members.filter { $0.value != .null }
        let kind = kinds.first { given[$0[0]] != nil } ?? kinds[2]
        if let stranger = names.first(where: { given[$0] != nil && !kind.contains($0) }) {
            throw .mixed(stranger, with: kind[0])
        }
        func number(_ name: String, _ range: ClosedRange<Int>, usual: Int? = nil) throws(WindowError) -> Int {
            if let usual, given[name] == nil { return usual }
            return try whole(name, range, given[name])
        }
        switch kind[0] {
        case "around":
            guard case .string(let key)? = given["around"] else { throw .key(came: given["around"]) }
            let (most, usual) = (mostRows / 2, usual.side)
            return .around(
                Key(key), before: try number("before", 0...most - 1, usual: usual),
                after: try number("after", 0...most, usual: usual),
                orAt: given["index"] == nil ? nil : try number("index", 0...Members.largestWhole))
        case "last": return .last(try number("last", 1...mostRows))
        default:
            return .first(
                try number("first", 0...Members.largestWhole, usual: 0),
                count: try number("count", 1...mostRows, usual: usual.count))
        }
    }
}

extension WindowMembers {
    /// How many rows a list may have to be watched as a whole instead; nil where a window is wanted anyhow.
    static func allUpTo(_ members: [String: JSONValue]) throws(WindowError) -> Int? {
        guard let value = members["allUpTo"], value != .null else { return nil }
        return try whole("allUpTo", 0...Members.largestWhole, value)
    }

    private static func whole(
        _ name: String, _ range: ClosedRange<Int>, _ value: JSONValue?
    ) throws(WindowError) -> Int {
        guard let number = value?.whole, range.contains(number) else { throw .member(name, range, came: value) }
        return number
    }
}

/// Why members name no window.
public enum WindowError: Error, Hashable, Sendable {
    /// The number of that name is not whole, or not in the range.
    case member(String, ClosedRange<Int>, came: JSONValue?)
    /// `around` is no key.
    case key(came: JSONValue?)
    /// What is to be a text, or several, is none, or too long.
    case text(String, isSingle: Bool, came: JSONValue)
    /// A member is of another kind of window than the second.
    case mixed(String, with: String)

    /// What is wrong, in a sentence.
    ///
    /// - Parameter called: what a member is called where it came, such as `The field "window.count"`.
    public func sentence(called: (String) -> String) -> String {
        switch self {
        case .member(let name, let range, let came):
            let most = range.upperBound == Members.largestWhole ? "on" : "to \(range.upperBound)"
            let expected = "a whole number from \(range.lowerBound) \(most)"
            return "\(called(name)) should be \(expected)\(came.map { ", not \(Self.text($0))" } ?? "")."
        case .key(let came): return "\(called("around")) should be a key\(came.map { ", not \(Self.text($0))" } ?? "")."
        case .text(let name, let isSingle, let came):
            return
                "\(called(name)) should be a text of up to 256 bytes\(isSingle ? "" : ", or a list of such"), not \(Self.text(came))."
        case .mixed(let name, let first):
            return
                "\(called(name)) does not go with \"\(first)\". Ask by \"first\" and \"count\"; by \"around\", \"before\", "
                + "\"after\" and \"index\"; or by \"last\"."
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): FieldValue.quoted(text)
        case .number(let number): FieldValue.number(number).description
        case .bool(let bool): "\(bool)"
        case .array: "an array"
        case .object: "an object"
        case .null: "null"
        }
    }
}

extension WindowPlace {
    /// Writes where a window lies, as a server says it.
    func write(to writer: inout JSONWriter) {
        writer.member("first", first)
        writer.member("total", total)
        if isSearching { writer.member("searching", true) }
    }
}

extension Window {
    /// Writes the members that `WindowMembers` reads.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .first(let first, let count):
            writer.member("first", first)
            writer.member("count", count)
        case .around(let key, let before, let after, let index):
            writer.member("around", key.string)
            writer.member("before", before)
            writer.member("after", after)
            writer.member("index", index)
        case .last(let count): writer.member("last", count)
        }
    }
}
