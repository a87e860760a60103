public import KeyedLists

/// The frames of a list's rows, encoded once for all who watch: JSON text, without newlines, cut into parts.
///
/// Fields are copied as the canonical bytes they are kept as; nothing is encoded again. A part is at most `limit` bytes,
/// unless it consists of a single row that is larger, for a row is never cut.
///
///     {"type":"snapshot","list":…,"epoch":…,"revision":…,"rows":[…],"last":true}
///     {"type":"patch","list":…,"epoch":…,"from":…,"revision":…,"run":…,"set":[…],"remove":[…],"count":…,"last":true}
///
/// `"last":false` stands in all parts but the last; `count` in the last of a patch alone, `run` in every one. Each part of a window
/// says where it lies, after the revision: `"first":…,"total":…`.
public enum Frames {
    /// The whole list as it is at `revision`. An empty list is one part without rows.
    ///
    /// - Parameters:
    ///   - rows: in order of position.
    ///   - limit: the largest part, in bytes.
    public static func snapshot(
        list: String, epoch: Epoch, revision: Revision, rows: some Sequence<PlacedRow>, limit: Int
    ) -> [[UInt8]] {
        let head = snapshotHead(list: list, epoch: epoch, revision: revision)
        var parts = PartsWriter(head: head, arrays: ["rows"], limit: limit)
        for row in rows {
            parts.entry { $0.row(row.key, position: row.position, fields: row.fields) }
        }
        return parts.finish()
    }

    /// A snapshot as a client reads it, cut into parts.
    ///
    /// - Parameters:
    ///   - snapshot: whole, or the last part.
    ///   - limit: the largest part, in bytes.
    public static func snapshot(_ snapshot: SnapshotPart, limit: Int) -> [[UInt8]] {
        let head = snapshotHead(
            list: snapshot.list, epoch: snapshot.epoch, revision: snapshot.revision, snapshot.window)
        var parts = PartsWriter(head: head, arrays: ["rows"], limit: limit)
        for row in snapshot.rows {
            parts.entry { $0.row(row.key, position: row.position, fields: row.fields) }
        }
        return parts.finish(isLast: snapshot.isLast)
    }

    /// What changed. First come the rows that are set, then the keys that are removed; a part may have both.
    ///
    /// - Parameters:
    ///   - run: the run whose commit it is; nil for an edit, and for a fold.
    ///   - place: where the window lies afterwards; nil where it is all of the list.
    ///   - limit: the largest part, in bytes.
    public static func patch(
        _ patch: Patch, list: String, epoch: Epoch, run: String?, at place: WindowPlace? = nil, limit: Int
    ) -> [[UInt8]] {
        let head = patchHead(list: list, epoch: epoch, from: patch.from, revision: patch.revision, place, run: run)
        var parts = PartsWriter(head: head, arrays: ["set", "remove"], limit: limit)
        parts.write(set: patch.set, remove: patch.remove)
        return parts.finish(count: patch.count)
    }

    static func encoded(_ part: SnapshotPart) -> [UInt8] { snapshot(part, limit: .max)[0] }

    static func encoded(_ part: PatchPart) -> [UInt8] {
        let head = patchHead(
            list: part.list, epoch: part.epoch, from: part.from, revision: part.revision, part.window, run: part.run)
        var parts = PartsWriter(head: head, arrays: ["set", "remove"], limit: .max)
        parts.write(set: part.set, remove: part.remove)
        return parts.finish(count: part.count, isLast: part.isLast)[0]
    }

    private static func snapshotHead(
        list: String, epoch: Epoch, revision: Revision, _ place: WindowPlace? = nil
    ) -> [UInt8] {
        var writer = JSONWriter(type: "snapshot")
        writer.member("list", list)
        writer.member("epoch", epoch.description)
        writer.member("revision", revision)
        place?.write(to: &writer)
        return writer.bytes
    }

    private static func patchHead(
        list: String, epoch: Epoch, from: Revision, revision: Revision, _ place: WindowPlace?, run: String?
    ) -> [UInt8] {
        var writer = JSONWriter(type: "patch")
        writer.member("list", list)
        writer.member("epoch", epoch.description)
        writer.member("from", from)
        writer.member("revision", revision)
        place?.write(to: &writer)
        writer.member("run", run)
        return writer.bytes
    }
}

extension PartsWriter {
    fileprivate mutating func write(set: [Patch.Change], remove: [Key]) {
        for change in set {
            entry { $0.row(change.key, position: change.position, fields: change.fields) }
        }
        nextArray()
        for key in remove {
            entry { $0.value(key) }
        }
    }
}

extension JSONWriter {
    /// Writes a row in few pieces: a list of ten thousand is that many times this.
    @inline(__always)
    fileprivate mutating func row(_ key: Key, position: Position, fields: Fields?) {
        if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
        append(#"{"key":"#)
        value(key)
        append(#","position":"#)
        value(position)
        if let fields {
            append(#","fields":"#)
            bytes.append(contentsOf: fields.bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    @inline(__always)
    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

/// Writes messages that share a head and consist of arrays, and begins another whenever one is full.
///
///     head , "set" : [ entry , entry … ] , "remove" : [ … ] , "count" : n , "last" : true }
///
/// Each part has all arrays, empty or not; entries go to one array after the other.
struct PartsWriter {
    /// Room kept for what ends a part: the arrays still to come, a count of 16 digits, `last`.
    private static let tail = 64

    private let head: [UInt8]
    private let arrays: [StaticString]
    private let limit: Int
    private var finished: [[UInt8]] = []
    private var part = JSONWriter()
    private var array = 0
    private var isPartEmpty = true

    /// - Parameters:
    ///   - head: an object that is open, with at least one member.
    ///   - arrays: their names, one or more.
    init(head: [UInt8], arrays: [StaticString], limit: Int) {
        self.head = head
        self.arrays = arrays
        self.limit = limit
        open()
    }

    /// Writes one entry, which is never cut, to the current array.
    @inline(__always)
    mutating func entry(_ write: (inout JSONWriter) -> Void) {
        let start = part.bytes.count
        write(&part)
        if part.bytes.count + Self.tail > limit, !isPartEmpty { carry(from: start) }
        isPartEmpty = false
    }

    /// Goes on to the next array.
    mutating func nextArray() {
        array += 1
        part.endArray()
        openArray()
    }

    /// Ends the last part, and returns all. It sets `last` by default.
    consuming func finish(count: Int? = nil, isLast: Bool = true) -> [[UInt8]] {
        close(count: count, isLast: isLast)
        return finished
    }

    /// Ends the part at `start`, and begins another with the entry that was written from there.
    private mutating func carry(from start: Int) {
        var entry = part.bytes[start...]
        if entry.first == UInt8(ascii: ",") { entry.removeFirst() }
        part.bytes.removeLast(part.bytes.count - start)
        let current = array
        close(isLast: false)
        open()
        while array < current { nextArray() }
        part.bytes.append(contentsOf: entry)
    }

    private mutating func open() {
        array = 0
        isPartEmpty = true
        part = JSONWriter(reserving: finished.isEmpty ? 0 : limit)
        part.bytes.append(contentsOf: head)
        openArray()
    }

    private mutating func openArray() {
        part.name(arrays[array])
        part.beginArray()
    }

    private mutating func close(count: Int? = nil, isLast: Bool) {
        while array < arrays.count - 1 { nextArray() }
        part.endArray()
        part.member("count", count)
        part.member("last", isLast)
        part.endObject()
        finished.append(part.bytes)
        part = JSONWriter()
    }
}
