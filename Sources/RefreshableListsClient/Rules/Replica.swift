import KeyedLists
import ListProtocol

/// A client's copy of one list, or of the window of it that it looks at: rows at one epoch and revision.
///
/// These are the rules that refreshable.v1 gives to clients, without a socket:
///
///     watch → ok: begin → snapshot or patch: rows ─▶ … ─▶ a gap, or what does not fit: watch again
struct Replica {
    /// What a frame has changed.
    enum Effect: Equatable {
        /// Parts are missing yet, or nothing in it is new.
        case nothing
        /// The rows are at the frame's revision now. With the keys of all rows that it names.
        case rows(touched: [Key])
        /// The copy can't be brought up to date from what has come: watch again, with `resume`.
        case lost
    }

    private(set) var rows = KeyedList()
    private(set) var epoch: Epoch?
    /// Where the window lies; nil: these are all rows.
    private(set) var place: WindowPlace?
    private var isLost = false
    private var snapshotParts: [SnapshotPart] = []
    private var patchParts: [PatchPart] = []

    /// The position that a `watch` sends to get only newer changes; nil: all rows are needed.
    var resume: ClientMessage.Resume? {
        guard let epoch, !isLost else { return nil }
        return ClientMessage.Resume(epoch: epoch.description, revision: rows.revision)
    }

    /// Whether parts have come that are not applied yet.
    var isIncomplete: Bool { !snapshotParts.isEmpty || !patchParts.isEmpty }

    /// A watch was answered: parts of an earlier answer will not be completed.
    mutating func begin() {
        snapshotParts = []
        patchParts = []
    }

    /// The rows stay to be seen; the next watch asks for all of them.
    @discardableResult mutating func lose() -> Effect {
        isLost = true
        return .lost
    }

    mutating func receive(_ part: SnapshotPart) -> Effect {
        if snapshotParts.first?.revision != part.revision || snapshotParts.first?.epoch != part.epoch {
            snapshotParts = []
        }
        patchParts = []
        snapshotParts.append(part)
        guard part.isLast else { return .nothing }
        defer { snapshotParts = [] }
        do {
            let known = snapshotParts.flatMap(\.rows).map { row in
                // Of a window, rows that are here already come without their fields.
                Patch.Change(key: row.key, position: row.position, fields: row.fields ?? rows[row.key]?.fields)
            }
            let after = try KeyedList(snapshot: known, revision: part.revision)
            epoch = part.epoch
            return arrive(at: after, place: part.window, touched: rows.rows.map(\.key) + after.rows.map(\.key))
        } catch {
            return lose()
        }
    }

    mutating func receive(_ part: PatchPart) -> Effect {
        guard part.epoch == epoch else { return lose() }
        guard part.revision > rows.revision else { return .nothing }
        if patchParts.first?.from != part.from || patchParts.first?.revision != part.revision { patchParts = [] }
        snapshotParts = []
        patchParts.append(part)
        guard part.isLast else { return .nothing }
        defer { patchParts = [] }
        let patch = Patch(
            from: part.from, revision: part.revision, set: patchParts.flatMap(\.set),
            remove: patchParts.flatMap(\.remove), count: part.count ?? rows.count)
        return apply(patch, place: part.window)
    }

    private mutating func apply(_ patch: Patch, place: WindowPlace?) -> Effect {
        do {
            try rows.apply(patch)
            return arrive(at: rows, place: place, touched: patch.remove + patch.set.map(\.key))
        } catch .gap {
            return .lost
        } catch {
            return lose()
        }
    }

    private mutating func arrive(at after: KeyedList, place: WindowPlace?, touched: [Key]) -> Effect {
        rows = after
        self.place = place
        isLost = false
        return .rows(touched: touched)
    }
}
