import KeyedLists
import ListProtocol

/// A client's copy of one list: its rows at one epoch and revision, and its newest state.
///
/// These are the rules that refreshable.v1 gives to clients, without a socket:
///
///     watch → ok: begin → snapshot or patch: rows ─▶ … ─▶ a gap, or what does not fit: watch again
struct Replica {
    /// What a message has changed.
    enum Effect: Equatable {
        case nothing
        case rows([RowChange])
        case state
        case progress
        /// The copy can't be brought up to date from what has come: watch again, with `resume`.
        case lost
    }

    /// How far a run has come.
    struct Progress: Equatable {
        var completed: Int
        var total: Int?
        var note: String?
    }

    let name: String
    private(set) var rows = KeyedList()
    private(set) var epoch: Epoch?
    private(set) var title: String
    private(set) var isRefreshable = false
    /// How the rows are divided.
    private(set) var section: Sections?
    private(set) var state: ListState?
    private(set) var progress: Progress?
    private var isLost = false
    private var snapshotParts: [SnapshotPart] = []
    private var patchParts: [PatchPart] = []

    init(_ name: String) {
        self.name = name
        title = name
    }

    /// The position that a `watch` sends to get only newer changes; nil: all rows are needed.
    var resume: ClientMessage.Resume? {
        guard let epoch, !isLost else { return nil }
        return ClientMessage.Resume(epoch: epoch.description, revision: rows.revision)
    }

    /// A watch was answered: parts of an earlier answer will not be completed.
    mutating func begin(_ ok: OK) {
        title = ok.title ?? title
        isRefreshable = ok.refreshable ?? isRefreshable
        section = ok.section
        snapshotParts = []
        patchParts = []
    }

    /// Takes in a message about this list; those about others do nothing.
    mutating func receive(_ message: ServerMessage) -> Effect {
        switch message {
        case .snapshot(let part) where part.list == name: receive(part)
        case .patch(let part) where part.list == name: receive(part)
        case .state(let state) where state.list == name: receive(state)
        case .settings(let description) where description.list == name: receive(description)
        case .progress(name, _, let completed, let total, let note):
            report(Progress(completed: completed, total: total, note: note))
        default: .nothing
        }
    }

    private mutating func receive(_ description: ListDescription) -> Effect {
        title = description.title
        isRefreshable = description.refreshable
        section = description.section
        return .state
    }

    private mutating func receive(_ state: ListState) -> Effect {
        if state.run != self.state?.run { progress = nil }
        self.state = state
        return .state
    }

    private mutating func report(_ progress: Progress) -> Effect {
        self.progress = progress
        return .progress
    }

    private mutating func receive(_ part: SnapshotPart) -> Effect {
        if snapshotParts.first?.revision != part.revision { snapshotParts = [] }
        snapshotParts.append(part)
        guard part.isLast else { return .nothing }
        defer { snapshotParts = [] }
        do {
            let after = try KeyedList(snapshot: snapshotParts.flatMap(\.rows), revision: part.revision)
            epoch = part.epoch
            return arrive(at: after, touched: rows.rows.map(\.key) + after.rows.map(\.key))
        } catch {
            return lose()
        }
    }

    private mutating func receive(_ part: PatchPart) -> Effect {
        guard part.epoch == epoch else { return lose() }
        guard part.revision > rows.revision else { return .nothing }
        if patchParts.first?.from != part.from || patchParts.first?.revision != part.revision { patchParts = [] }
        patchParts.append(part)
        guard part.isLast else { return .nothing }
        defer { patchParts = [] }
        let patch = Patch(
            from: part.from, revision: part.revision, set: patchParts.flatMap(\.set),
            remove: patchParts.flatMap(\.remove), count: part.count ?? rows.count)
        return apply(patch)
    }

    private mutating func apply(_ patch: Patch) -> Effect {
        var after = rows
        do {
            try after.apply(patch)
            return arrive(at: after, touched: patch.remove + patch.set.map(\.key))
        } catch .gap {
            return .lost
        } catch {
            return lose()
        }
    }

    private mutating func arrive(at after: KeyedList, touched: [Key]) -> Effect {
        let before = rows
        rows = after
        isLost = false
        var seen: Set<Key> = []
        return .rows(
            touched.filter { seen.insert($0).inserted }.compactMap { RowChange($0, from: before[$0], to: after[$0]) })
    }

    /// The rows stay to be seen; the next watch asks for all of them.
    private mutating func lose() -> Effect {
        isLost = true
        return .lost
    }
}

/// What became of a row from one revision of a list to another, as a client sees it.
struct RowChange: Hashable {
    enum Kind: String {
        case inserted, changed, moved, removed
    }

    var kind: Kind
    var key: Key
    /// What the row shows now; nil if it was removed.
    var fields: Fields?

    /// How the row under a key is another than before; nil if it is not. Fields count before places.
    init?(_ key: Key, from before: PlacedRow?, to after: PlacedRow?) {
        guard let after else {
            guard before != nil else { return nil }
            self.init(kind: .removed, key: key)
            return
        }
        guard let before else {
            self.init(kind: .inserted, key: key, fields: after.fields)
            return
        }
        guard before.fields != after.fields || before.position != after.position else { return nil }
        self.init(kind: before.fields == after.fields ? .moved : .changed, key: key, fields: after.fields)
    }

    init(kind: Kind, key: Key, fields: Fields? = nil) {
        self.kind = kind
        self.key = key
        self.fields = fields
    }
}
