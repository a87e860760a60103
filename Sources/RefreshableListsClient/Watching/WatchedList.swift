public import KeyedLists
public import ListProtocol

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A list of a server, as it is now, and kept so for as long as it is held or read.
///
/// ```swift
/// let mailbox = try await client.watch("mailbox")
/// for await change in mailbox.changes {
///     print(change.rows.count, "letters,", change.inserted.count, "of them new")
/// }
/// ```
///
/// Its properties tell how things are now, from any task; while the connection is lost, how they were when it was. What
/// happens is read from ``changes``, ``states`` and ``updates``, each by as many tasks as like to. The list is no longer
/// watched when its last reference and its last reader are gone.
public final class WatchedList: Sendable {
    /// Its name at the server.
    public let name: String
    /// Whose list it is.
    public let client: ListClient
    /// Tells it from an earlier one of the same name.
    private let serial: Int

    init(_ name: String, serial: Int, of client: ListClient) {
        self.name = name
        self.serial = serial
        self.client = client
    }

    deinit { client.leave(name, serial: serial) }

    private func read<Value: Sendable>(_ value: (ListConversation) -> Value?) -> Value? { client.read(name, value) }

    // MARK: How it is

    /// The rows in order.
    public var rows: [ListRow] { read { $0.replica.rows.rows.map(\.row) } ?? [] }

    /// Where the rows lie in the list, where it is looked at in part; nil: they are all.
    public var place: WindowPlace? { read { $0.replica.place } }

    /// How many rows there are here.
    public var count: Int { read { $0.replica.rows.count } ?? 0 }

    /// The row of a key; nil if there is none.
    public subscript(key: Key) -> ListRow? { read { $0.replica.rows[key]?.row } }

    /// Where the rows are in the list's history; nil before any have come.
    public var revision: (epoch: Epoch, revision: Revision)? {
        read { list in list.replica.epoch.map { ($0, list.replica.rows.revision) } }
    }

    /// What the server says of the list: its title, how it is pulled, what may be done to its rows.
    public var description: ListDescription? { read(\.description) }

    /// The title, for people.
    public var title: String { description?.title ?? name }

    /// Whether there is something to refresh: else offer no pull and no button.
    public var isRefreshable: Bool { description?.refreshable ?? false }

    /// The newest state, complete: the phase, the run under way, how the last one ended. Nil before the first.
    public var state: ListState? { read(\.state) }

    /// What the list is doing: loading, closing for a moment, or waiting.
    public var phase: Phase { state?.phase ?? .waiting }

    /// How far the run under way has come; nil where its handler does not tell.
    public var progress: Progress? { read(\.progress) }

    /// The keys of rows that whoever has signed in has not seen; nil where the server does not tell.
    public var unread: [Key]? { read(\.unread) }

    // MARK: What happens

    /// What becomes of the rows. A reader that comes gets all of them as inserted; one that is slow gets one change for all
    /// that happened meanwhile.
    public var changes: Events<Change> {
        Events(list: self, limit: 1) { entry in
            if case .rows = entry { true } else { false }
        } element: { update in
            if case .rows(let change) = update { change } else { nil }
        }
    }

    /// The list's states. One that a slow reader misses is replaced by a later one.
    public var states: Events<ListState> {
        Events(list: self, limit: Self.limit) { entry in
            if case .state = entry { true } else { false }
        } element: { update in
            if case .state(let state) = update { state } else { nil }
        }
    }

    /// What the list is doing. One phase may come twice, of two runs.
    public var phases: Events<Phase> {
        Events(list: self, limit: Self.limit, isWanted: states.isWanted) { update in
            if case .state(let state) = update { state.phase } else { nil }
        }
    }

    /// All that happens, in order: rows come between the `loading` and the `closing` of their run. A reader that falls
    /// behind by more than a few gets the newest of each kind.
    public var updates: Events<Update> {
        Events(list: self, limit: Self.limit) { _ in
            true
        } element: {
            $0
        }
    }

    private static let limit = 16
}

extension WatchedList {
    /// When the rows were last refreshed with success, by the server's clock; nil before the first time.
    public var updatedAt: Date? { state?.updatedAt.map(Date.init(milliseconds:)) }

    /// Since when the rows could not be refreshed, by the server's clock; nil while they can.
    public var staleSince: Date? { state?.staleSince.map(Date.init(milliseconds:)) }
}
