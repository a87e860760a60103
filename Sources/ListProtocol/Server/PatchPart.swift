public import KeyedLists

/// One part of what changed in a list, as a client reads it. It holds the parts of one patch until the last, then applies
/// them together.
public struct PatchPart: Hashable, Sendable {
    /// The list's name.
    public var list: String
    /// The epoch in which the revisions are meant.
    public var epoch: Epoch
    /// The oldest revision it can be applied to; any from there up to `revision` will do.
    public var from: Revision
    /// The revision it leads to.
    public var revision: Revision
    /// The run whose commit it is; nil for an edit, and for a fold of several commits.
    public var run: String?
    /// Rows that are new, changed or, without fields, only moved.
    public var set: [Patch.Change]
    /// Keys of removed rows.
    public var remove: [Key]
    /// How many rows there are afterwards; in the last part alone.
    public var count: Int?
    /// Where the window lies afterwards, where one is watched.
    public var window: WindowPlace?
    /// Whether no part follows.
    public var isLast: Bool

    /// Makes a part.
    public init(
        list: String, epoch: Epoch, from: Revision, revision: Revision, run: String? = nil, set: [Patch.Change],
        remove: [Key], count: Int?, window: WindowPlace? = nil, isLast: Bool
    ) {
        self.list = list
        self.epoch = epoch
        self.from = from
        self.revision = revision
        self.run = run
        self.set = set
        self.remove = remove
        self.count = count
        self.window = window
        self.isLast = isLast
    }
}

/// One part of a list's rows, as a client reads it. It holds the parts of one revision until the last, then replaces all
/// it has.
public struct SnapshotPart: Hashable, Sendable {
    /// The list's name.
    public var list: String
    /// The epoch in which the revision is meant.
    public var epoch: Epoch
    /// The revision at which the list has these rows.
    public var revision: Revision
    /// Rows in order of position. Each has its fields; in a window, only those that the client does not have.
    public var rows: [Patch.Change]
    /// Where the window lies, where one is watched.
    public var window: WindowPlace?
    /// Whether no part follows.
    public var isLast: Bool

    /// Makes a part.
    public init(
        list: String, epoch: Epoch, revision: Revision, rows: [Patch.Change], window: WindowPlace? = nil, isLast: Bool
    ) {
        self.list = list
        self.epoch = epoch
        self.revision = revision
        self.rows = rows
        self.window = window
        self.isLast = isLast
    }
}

extension SnapshotPart {
    init(_ members: Members) throws(MessageError) {
        self.init(
            list: try members.string("list"), epoch: try members.epoch("epoch"),
            revision: try members.whole("revision"), rows: try members.rows("rows", needFields: !members.has("total")),
            window: try members.windowPlace(), isLast: try members.bool("last"))
    }
}

extension PatchPart {
    init(_ members: Members) throws(MessageError) {
        self.init(
            list: try members.string("list"), epoch: try members.epoch("epoch"), from: try members.whole("from"),
            revision: try members.whole("revision"), run: try members.optional("run", members.string),
            set: try members.rows("set", needFields: false), remove: try members.keys("remove"),
            count: try members.optional("count", members.whole), window: try members.windowPlace(),
            isLast: try members.bool("last"))
    }
}

extension Members {
    /// Nil where the whole list is watched.
    func windowPlace() throws(MessageError) -> WindowPlace? {
        guard has("total") else { return nil }
        let isSearching = try optional("searching", bool) ?? false
        return WindowPlace(first: try whole("first"), total: try whole("total"), isSearching: isSearching)
    }

    fileprivate func rows(_ name: Key, needFields: Bool) throws(MessageError) -> [Patch.Change] {
        var rows: [Patch.Change] = []
        for (index, element) in try array(name).enumerated() {
            guard case .object(let values) = element else { throw mismatch(name, "an array of objects") }
            let row = Members(values, path: "\(path)\(name)[\(index)].")
            let fields = needFields || row.has("fields") ? Fields(try row.object("fields").values) : nil
            rows.append(
                Patch.Change(key: Key(try row.string("key")), position: try row.whole("position"), fields: fields))
        }
        return rows
    }

    fileprivate func keys(_ name: Key) throws(MessageError) -> [Key] {
        var keys: [Key] = []
        for element in try array(name) {
            guard case .string(let key) = element else { throw mismatch(name, "an array of strings") }
            keys.append(Key(key))
        }
        return keys
    }
}
