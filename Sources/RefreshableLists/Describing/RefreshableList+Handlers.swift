public import KeyedLists
public import ListSources

/// Modifiers that set where rows come from.
///
/// A handler has one of four forms. Those of `refreshable`, and of `task` for the first load, give rows; those of `onRefresh`, and
/// of `onFirstLoad`, do the work by themselves:
///
/// ```swift
/// .refreshable { try await market.fruit() }                    // returns the rows: [ListRow], [String], your own type
/// .refreshable { run in for try await row in feed { run.yield(row) } }     // yields them, and reports progress
/// .onRefresh { try await mailbox.synchronise() }               // edits the list by itself
/// .onRefresh { done in legacy.load { rows in done(rows) } }    // calls back
/// ```
///
/// A handler runs on threads for handlers, and one that blocks its thread holds up no other. The indicator is shown for
/// exactly as long as it runs, so await all work inside it: what it leaves to a `Task` of its own is no part of the run. It
/// is cancelled when a person stops it, when it is silent for longer than the deadline, or when nobody waits for it any
/// more. What it throws is the run's outcome: let errors out, and throw a `RefreshFailure` to say what people read.
extension RefreshableList {
    /// Loads the list, at first and at every refresh, with the rows that `action` returns.
    @_disfavoredOverload
    public func refreshable(_ action: @escaping @concurrent @Sendable () async throws -> [ListRow]) -> Self {
        // Disfavored, so that of values that are no rows the compiler says that their type has to be `RowConvertible`; and
        // there at all, so that it can tell what `[]` is.
        with { $0.handler = .returning(action) }
    }

    /// Loads the list, at first and at every refresh, with rows made of the texts or values that `action` returns.
    public func refreshable<Rows: Sequence & SendableMetatype>(
        _ action: @escaping @concurrent @Sendable () async throws -> Rows
    ) -> Self where Rows.Element: RowConvertible {
        with { $0.handler = .returning { .rows(of: try await action()) } }
    }

    /// Loads the list with the rows that `action` yields, as it yields them where the mode is `stream`.
    ///
    /// What it yielded is the list once it has returned: rows that it did not yield leave then, and only then.
    public func refreshable(_ action: @escaping @concurrent @Sendable (RefreshRun) async throws -> Void) -> Self {
        with { $0.handler = .yields(action) }
    }

    /// Lets `action` do the whole work: it edits the list by itself, and the rows stay as it leaves them.
    ///
    /// A name of its own, so that a handler of `refreshable` whose values are no rows is an error, and not one that does
    /// nothing.
    public func onRefresh(_ action: @escaping @concurrent @Sendable () async throws -> Void) -> Self {
        with { $0.handler = .edits { _ in try await action() } }
    }

    /// Loads the list by work that calls back when it is done: see `RefreshCompletion`.
    ///
    /// The indicator goes away when `done` is called, even if the work goes on; edits of the list that it makes then
    /// belong to no run.
    public func onRefresh(_ action: @escaping @Sendable (_ done: RefreshCompletion) -> Void) -> Self {
        with { $0.handler = .callsBack(action) }
    }

    /// Loads the list from a source: a command, a file, a demo, or one of your own; page by page, if it is a
    /// `PagedSource`, and again when it notices a change, if it is a `ChangingSource`.
    public func source(_ source: any RowSource) -> Self {
        let changes = (source as? any ChangingSource).map { source in { @Sendable in source.changes() } }
        let list = refreshable { run in try await source.rows(into: run) }.with { $0.changes = changes }
        guard let paged = source as? any PagedSource, paged.hasPages else { return list }
        return list.more { last in try await paged.rows(after: last) }
    }

    /// Asks a source for the rows that somebody looks at, and keeps no others: for a table of millions.
    ///
    /// ```swift
    /// RefreshableList("log").windowed(by: SQLiteWindows("/srv/log.db", query: "SELECT id AS key, text AS title FROM log", by: ["-key"]))
    /// ```
    ///
    /// A refresh reads the windows again that are looked at, and so does a change that the source notices. Whoever asks for no
    /// window, over WebSocket or HTTP, gets the first 200 rows. Such a list takes neither pushes nor edits, and has no actions, no
    /// pages, no notifications and no unread rows: with one of them, the server's `run()` throws.
    public func windowed(by source: any WindowSource) -> Self {
        with { list in
            list.handler = .reads(source)
            list.changes = { source.changes() ?? AsyncStream { $0.finish() } }
        }
    }

    /// Starts with these rows, without a run. Rows kept from an earlier start are not replaced.
    public func rows(_ rows: [ListRow]) -> Self { with { $0.initialRows = rows } }

    /// Edits the list some time after a run of it ended, unless another run began by then.
    ///
    /// - Parameters:
    ///   - delay: from the end of the run.
    ///   - rows: what the list then holds, by the smallest patch.
    public func then(after delay: Duration, rows: @escaping @Sendable () -> [ListRow]) -> Self {
        with { $0.followUpEdit = FollowUpEdit(delay: delay, rows: rows) }
    }

    /// What the gate goes by. A list that nothing can load does not refresh by itself.
    var gateRules: RefreshGate.Rules {
        var rules = rules
        if handler(for: .timer) == nil { rules.every = nil }
        return rules
    }

    /// What a run that begins for this cause does. The initial load has its own handler where one was given; `every`
    /// makes do with that, where the list has no other.
    func handler(for cause: RefreshCause) -> RefreshHandler? {
        switch cause {
        case .initial: initialHandler ?? handler
        case .timer: handler ?? initialHandler
        case .pull, .refresh, .code: handler
        case .more: nil
        }
    }
}

extension [ListRow] {
    /// Converts values to rows. An array of rows is returned as it is, without a copy.
    static func rows<Values: Sequence>(of values: Values) -> [ListRow] where Values.Element: RowConvertible {
        values as? [ListRow] ?? values.map(\.row)
    }
}

extension RefreshHandler {
    /// The rows that it returns are the list.
    static func returning(_ action: @escaping @concurrent @Sendable () async throws -> [ListRow]) -> RefreshHandler {
        .yields { run in run.yield(try await action()) }
    }
}

/// An edit that follows a run without being one.
struct FollowUpEdit: Sendable {
    var delay: Duration
    var rows: @Sendable () -> [ListRow]
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Sequence {
    /// Makes a row of each value, of what is named here and nothing else.
    ///
    /// ```swift
    /// .refreshable {
    ///     try await mailbox.fetch().rows(key: \.id, title: \.subject, subtitle: \.sender.name, time: \.sentAt)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: tells the value from all others of the list, for as long as it is the same: an identifier.
    ///   - title: the first line.
    ///   - subtitle: the second line.
    ///   - detail: text at the end of the row.
    ///   - time: shown as an age.
    ///   - link: what the row opens.
    ///   - image: a picture.
    ///   - badge: a short mark.
    public func rows(
        key: (Element) -> some CustomStringConvertible, title: ((Element) -> String?)? = nil,
        subtitle: ((Element) -> String?)? = nil, detail: ((Element) -> String?)? = nil,
        time: ((Element) -> Date?)? = nil, link: ((Element) -> URL?)? = nil,
        image: ((Element) -> URL?)? = nil, badge: ((Element) -> String?)? = nil
    ) -> [ListRow] {
        map { value in
            ListRow(
                key(value).description, title: title?(value), subtitle: subtitle?(value), detail: detail?(value),
                time: time?(value), link: link?(value), image: image?(value), badge: badge?(value))
        }
    }
}

extension Sequence where Element: Encodable {
    /// Makes a row of each value, of what is named here and of members of the value itself, for a page of yours to draw.
    ///
    /// ```swift
    /// trains.rows(key: \.number, title: \.destination, including: ["track", "delay"])
    /// ```
    ///
    /// Members are as the value encodes them (dates in milliseconds since 1970, data in base 64). What is named by its own
    /// parameter wins where names meet. A value that encodes as something else than an object has no members.
    ///
    /// The other parameters are as where no members are included.
    ///
    /// - Parameters:
    ///   - members: which of them. Everybody who watches the list is sent them.
    /// - Throws: `RowsError` for the first value that cannot be encoded.
    public func rows(
        key: (Element) -> some CustomStringConvertible, title: ((Element) -> String?)? = nil,
        subtitle: ((Element) -> String?)? = nil, detail: ((Element) -> String?)? = nil,
        time: ((Element) -> Date?)? = nil, link: ((Element) -> URL?)? = nil,
        image: ((Element) -> URL?)? = nil, badge: ((Element) -> String?)? = nil,
        including members: RowMembers
    ) throws(RowsError) -> [ListRow] {
        let encoder = JSONEncoder.forRows
        let values = Array(self)
        var rows = values.rows(
            key: key, title: title, subtitle: subtitle, detail: detail, time: time, link: link, image: image,
            badge: badge)
        for (place, value) in values.enumerated() { rows[place] = try rows[place].adding(members, of: value, encoder) }
        return rows
    }
}

/// Which members of a value its row has, by the names under which it encodes them: `["track", "delay"]`, or `.all`.
public struct RowMembers: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Nil: all.
    private let names: Set<String>?

    /// Every member that the value encodes, those that it will have in later versions, too. What people must not see must
    /// not be encoded then.
    public static let all = RowMembers(names: nil)

    /// Those of these names; a value that has none of a name goes without it.
    public init(arrayLiteral names: String...) { self.init(names: Set(names)) }

    private init(names: Set<String>?) { self.names = names }

    fileprivate func contains(_ name: String) -> Bool { names?.contains(name) ?? true }
}

extension JSONEncoder {
    /// Times as they are everywhere in the protocol.
    fileprivate static var forRows: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }
}

extension ListRow {
    /// The row with some of a value's own members beside its fields.
    fileprivate func adding(
        _ wanted: RowMembers, of value: some Encodable, _ encoder: JSONEncoder
    ) throws(RowsError) -> ListRow {
        do {
            guard case .object(let members) = try JSONValue(json: Array(try encoder.encode(value))) else { return self }
            let chosen = members.filter { wanted.contains($0.key.string) }
            return ListRow(key: key, fields: Fields(chosen.merging(fields.members) { _, shown in shown }))
        } catch {
            throw .notEncodable(key: key.string, underlying: error)
        }
    }
}

/// A value that a handler may return as a row: a `ListRow`, a `String`, or a type of your own.
///
/// ```swift
/// extension Message: RowConvertible {
///     var row: ListRow { ListRow(id, title: subject, subtitle: sender) }
/// }
/// ```
public protocol RowConvertible: Sendable {
    /// The row for the value. Its key must be unique in the list: a duplicate fails the run.
    var row: ListRow { get }
}

extension ListRow: RowConvertible {
    /// Itself.
    public var row: ListRow { self }
}

extension String: RowConvertible {
    /// A row of which the text is both key and title. An empty text has no key, so it is no row and fails the run.
    public var row: ListRow { ListRow(self, title: self) }
}

/// Why a value could not be made a row.
public enum RowsError: Error, CustomStringConvertible {
    /// The value's own `encode(to:)` threw, or gave no JSON.
    case notEncodable(key: String, underlying: any Error)

    /// Which row, what happened, and what to do.
    public var description: String {
        switch self {
        case .notEncodable(let key, let underlying):
            "Cannot encode the value with the key \"\(key)\" as the fields of a row: \(underlying). "
                + "Make its encode(to:) produce JSON, or create the ListRow yourself."
        }
    }
}
