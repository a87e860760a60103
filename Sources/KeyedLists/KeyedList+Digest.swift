extension KeyedList {
    /// A check of the rows in their order, by which two who should have the same rows can tell: the CRC-32 of ISO 3309 (that
    /// of zlib, gzip and PNG) over each row's key, a tab, its fields as RFC 8785 writes them, and a line feed.
    ///
    /// Positions are not in it: they may differ where the order is the same. Costs a look at every byte of the list.
    public var digest: UInt32 {
        var check = CRC32()
        var next = order.first
        while let slot = next {
            slots[slot].row.key.withBytes { check.update($0) }
            check.update(UInt8(ascii: "\t"))
            slots[slot].row.fields.bytes.withUnsafeBytes { check.update($0) }
            check.update(UInt8(ascii: "\n"))
            next = order.slot(after: slot)
        }
        return check.value
    }
}
