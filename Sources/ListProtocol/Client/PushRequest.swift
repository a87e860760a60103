public import KeyedLists

/// What another program wants changed in a list, in a patch's own words:
///
///     {"set":[{"key":"k","fields":{…},"before":"other"}],"remove":["z"]}
///
/// A key is in it once. The rows are set in their order, each finding what those before it left; then others are removed.
public struct PushRequest: Hashable, Sendable {
    /// A row to insert, to change, or only to move.
    public struct Change: Hashable, Sendable {
        /// The row's key.
        public var key: Key
        /// Nil: the row exists, and keeps its fields.
        public var fields: Fields?
        /// Where it is to stand.
        public var place: Place

        /// Makes a change.
        public init(key: Key, fields: Fields? = nil, place: Place = .kept) {
            self.key = key
            self.fields = fields
            self.place = place
        }
    }

    /// Rows to insert, change or move.
    public var set: [Change]
    /// Keys of rows to take away; those that are not there count as done.
    public var remove: [Key]

    /// Makes a push.
    public init(set: [Change] = [], remove: [Key] = []) {
        self.set = set
        self.remove = remove
    }
}

extension PushRequest {
    /// Reads the body of `PATCH /lists/NAME`, and checks it whole. Unknown members are ignored, so a patch that was received
    /// may be passed on; a member that is null counts as left out; one that comes twice is an error.
    ///
    /// Any bytes give a push or an error, whose message names the member that is wrong: `set[3].before`.
    public init(decoding bytes: [UInt8], limits: PushLimits = PushLimits()) throws(MessageError) {
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(MessageError) in
            var reader = PushReader(UnsafeRawBufferPointer(buffer), limits: limits)
            return try reader.readPush()
        }
    }

    /// Reads the body of `PUT /lists/NAME/rows/KEY`: a row of a push without its key, which is in the path.
    public init(
        row bytes: [UInt8], key: Key, limits: PushLimits = PushLimits()
    ) throws(MessageError) {
        let change = try bytes.withUnsafeBufferPointer { (buffer) throws(MessageError) in
            var reader = PushReader(UnsafeRawBufferPointer(buffer), limits: limits)
            return try reader.readRow(of: key)
        }
        self.init(set: [change])
    }

    /// What `DELETE /lists/NAME/rows/KEY` asks for.
    public init(removing key: Key, limits: PushLimits = PushLimits()) throws(MessageError) {
        try limits.check(key)
        self.init(remove: [key])
    }
}

extension PushLimits {
    /// A key that stands in a path. One that was not encoded as it should be is not guessed at.
    func check(_ key: Key) throws(MessageError) {
        guard 1...keyBytes ~= key.string.utf8.count else {
            throw MessageError(
                code: .badField, message: "The key in the path should have 1 to \(keyBytes) bytes of UTF-8.")
        }
        guard !key.string.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\u{FFFD}" }) else {
            throw MessageError(
                code: .badField,
                message:
                    "The key in the path is not UTF-8 in percent-encoding. Encode all but letters, digits and -._~, "
                    + "or send it in the body of a PATCH.")
        }
    }
}
