/// How much a program may push.
public struct PushLimits: Hashable, Sendable {
    /// The longest key, in bytes of UTF-8.
    public var keyBytes: Int
    /// The largest row's fields, in bytes of canonical JSON.
    public var rowBytes: Int
    /// How many rows one push may set and remove.
    public var rows: Int
    /// How many rows a list may come to hold by pushes. Unlike a refresh, nothing else would ever end its growth.
    public var listRows: Int

    /// Makes limits: a row's are those of the protocol, unless told otherwise.
    public init(_ limits: Limits = Limits(), rows: Int = 10_000, listRows: Int = 100_000) {
        keyBytes = limits.keyBytes
        rowBytes = limits.rowBytes
        self.rows = rows
        self.listRows = listRows
    }
}
