package import KeyedLists

/// The check of one line of a table, which is kept in that line and looked at whenever it is read: CRC-32 (ISO 3309) over
/// what kind of line it is, its list's number, and all of its columns.
///
///     number   1, and its 64 bits, the lowest byte first; 0 for NULL
///     bytes    their number, as above, and they themselves
///
/// The rows and tombstones of a list are added up as well, and the sum is in the list's own line: so a row that is gone,
/// or one that has come back from an earlier state of the file, is noticed as one that was changed is.
package struct Checksum {
    /// What the line is.
    package enum Kind: UInt8 {
        case list = 0x4C
        case row = 0x52
        case tombstone = 0x54
        case actionRun = 0x41
        case unread = 0x55
        case head = 0x48
    }

    private var check = CRC32()

    package init(of kind: Kind, list: Int64) {
        check.update(kind.rawValue)
        add(list)
    }

    /// Of a row.
    package init(_ row: PlacedRow, list: Int64) {
        self.init(of: .row, list: list)
        add(row.key)
        add(Int64(row.position))
        add(Int64(row.fieldsRevision))
        add(Int64(row.positionRevision))
        add(row.fields.bytes)
    }

    /// Of a tombstone.
    package init(_ tombstone: Tombstone, list: Int64) {
        self.init(of: .tombstone, list: list)
        add(tombstone.key)
        add(Int64(tombstone.revision))
        add(tombstone.removedAt)
    }

    /// Of a run of an action.
    package init(_ run: StoredActionRun, list: Int64) {
        self.init(of: .actionRun, list: list)
        add(run.key)
        add(Array(run.run.utf8))
        add(run.begunAt)
        add(run.state)
    }

    /// Of what a person has not seen.
    package init(_ unread: StoredUnread, list: Int64) {
        self.init(of: .unread, list: list)
        add(Array(unread.person.utf8))
        add(unread.keys)
    }

    /// Of the keys of a head.
    package init(_ head: HeadKeys, list: Int64) {
        self.init(of: .head, list: list)
        add(Int64(head.count))
        for key in head.keys { add(key) }
    }

    /// As it is stored: between 0 and 2^32.
    package var value: Int { Int(check.value) }

    package mutating func add(_ number: Int64?) {
        guard let number else { return check.update(0) }
        check.update(1)
        withUnsafeBytes(of: number.littleEndian) { check.update($0) }
    }

    package mutating func add(_ bytes: [UInt8]) {
        add(Int64(bytes.count))
        bytes.withUnsafeBytes { check.update($0) }
    }

    package mutating func add(_ key: Key) {
        var text = key.string
        text.withUTF8 { bytes in
            add(Int64(bytes.count))
            check.update(UnsafeRawBufferPointer(bytes))
        }
    }
}
