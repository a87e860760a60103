public import KeyedLists

/// The answer to a message that was done. Which members it has depends on what it answers.
///
///     watch     begin epoch revision count title refreshable pull
///     release, refresh, more     run
///     hello     session resumed
///     digest    epoch revision count crc32
///     others    none
public struct OK: Hashable, Sendable {
    /// What follows the answer to a `watch`.
    public enum Begin: String, CaseIterable, Hashable, Sendable {
        /// All rows: the client has nothing, or nothing that can be built upon.
        case snapshot
        /// A patch from the client's revision.
        case resume
        /// Nothing: the client is where the list is.
        case live
    }

    /// The `id` of the message it answers; nil only for a `watch` without one, which is answered too.
    public var id: String?
    /// The list it is about.
    public var list: String?
    /// What a `release`, a `refresh` or a `more` has come to.
    public var run: RunReference?
    /// What follows.
    public var begin: Begin?
    /// The list's epoch.
    public var epoch: Epoch?
    /// Where the rows that follow lead; of a digest, the revision that it is of.
    public var revision: Revision?
    /// How many rows there are at that revision.
    public var count: Int?
    /// The CRC-32 of the rows at that revision: of key TAB fields LF for each, in order.
    public var crc32: UInt32?
    /// What people call the list.
    public var title: String?
    /// Whether the list has a refresh action.
    public var refreshable: Bool?
    /// How the list wants to be pulled.
    public var pull: PullDescription?
    /// The session this connection now has.
    public var session: String?
    /// Whether that session is the earlier one that `hello` asked for.
    public var resumed: Bool?

    /// Makes an answer; members that are nil are not written.
    public init(
        id: String? = nil, list: String? = nil, run: RunReference? = nil, begin: Begin? = nil, epoch: Epoch? = nil,
        revision: Revision? = nil, count: Int? = nil, crc32: UInt32? = nil, title: String? = nil,
        refreshable: Bool? = nil, pull: PullDescription? = nil, session: String? = nil, resumed: Bool? = nil
    ) {
        self.id = id
        self.list = list
        self.run = run
        self.begin = begin
        self.epoch = epoch
        self.revision = revision
        self.count = count
        self.crc32 = crc32
        self.title = title
        self.refreshable = refreshable
        self.pull = pull
        self.session = session
        self.resumed = resumed
    }
}
