/// The server's limits, sent to each client in its welcome. All are settings of the server.
public struct Limits: Hashable, Sendable {
    /// The largest message a client may send, in bytes.
    public var clientFrame: Int
    /// The largest message a server sends, in bytes: a snapshot or patch above it goes in parts. Only a part that consists
    /// of a single row may be larger.
    public var serverFrame: Int
    /// How many lists one connection may watch.
    public var listsPerConnection: Int
    /// The longest key of a row, or of a `refresh`, in bytes of UTF-8.
    public var keyBytes: Int
    /// The largest row's fields, in bytes of canonical JSON.
    public var rowBytes: Int
    /// How many `pull` messages a connection may send in a second.
    public var pullsPerSecond: Int
    /// How many messages other than `pull` and `watch` a connection may send in a second, on average.
    public var messagesPerSecond: Int
    /// How many of those may come at once.
    public var burst: Int
    /// The longest `id` of a message, in Unicode scalars.
    public var idLength: Int
    /// The largest offset and peak of a pull, in pixels, either side of zero.
    public var offset: Double

    /// Makes limits; those not named are the protocol's own.
    public init(
        clientFrame: Int = 16_384, serverFrame: Int = 65_536, listsPerConnection: Int = 128, keyBytes: Int = 256,
        rowBytes: Int = 16_384, pullsPerSecond: Int = 60, messagesPerSecond: Int = 20, burst: Int = 40,
        idLength: Int = 64, offset: Double = 10_000
    ) {
        self.clientFrame = clientFrame
        self.serverFrame = serverFrame
        self.listsPerConnection = listsPerConnection
        self.keyBytes = keyBytes
        self.rowBytes = rowBytes
        self.pullsPerSecond = pullsPerSecond
        self.messagesPerSecond = messagesPerSecond
        self.burst = burst
        self.idLength = idLength
        self.offset = offset
    }
}

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

    /// Creates limits; by default a row has those of the protocol.
    public init(_ limits: Limits = Limits(), rows: Int = 10_000, listRows: Int = 100_000) {
        keyBytes = limits.keyBytes
        rowBytes = limits.rowBytes
        self.rows = rows
        self.listRows = listRows
    }
}
