import KeyedLists
import ListProtocol
import WebSockets

/// A request to change a list over HTTP, as it came.
struct Push: Sendable {
    /// What its body is.
    enum Kind: Hashable, Sendable {
        /// `PATCH /lists/NAME`: any number of rows.
        case patch
        /// `PUT /lists/NAME/rows/KEY`: one row.
        case put(Key)
        /// `DELETE /lists/NAME/rows/KEY`: nothing.
        case delete(Key)
    }

    let kind: Kind
    let body: [UInt8]
    /// The entity tags of `If-Match`, one of which the list has to have.
    let condition: String?
    /// Names the push, so that it can be sent again and is done once.
    let key: IdempotencyKey?

    init(_ kind: Kind, _ request: HTTPRequest) throws(IdempotencyKey.TooLong) {
        self.kind = kind
        body = request.body
        condition = request.headers["If-Match"]
        key = try IdempotencyKey(request)
    }

    /// Whether the list may be changed where it is. A weak tag never matches (RFC 9110 §13.1.1).
    func applies(at revision: ListRevision) -> Bool {
        guard let condition else { return true }
        let tags = condition.split(separator: ",").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
        return tags.contains { $0 == "*" || $0 == revision.entityTag }
    }

    /// What it asks for.
    func request(_ limits: PushLimits) throws(MessageError) -> PushRequest {
        switch kind {
        case .patch: try PushRequest(decoding: body, limits: limits)
        case .put(let key): try PushRequest(row: body, key: key, limits: limits)
        case .delete(let key): try PushRequest(removing: key, limits: limits)
        }
    }
}

extension ListRevision {
    /// As it stands in `ETag` and `If-Match`.
    var entityTag: String { "\"\(self)\"" }
}

extension RowEdits {
    /// The steps that a push comes to. A row without fields is only moved, so it has to be there.
    init(_ push: PushRequest) {
        self.init()
        for change in push.set {
            if let fields = change.fields {
                set(Row(key: change.key, fields: fields), change.place)
            } else {
                move(change.key, change.place)
            }
        }
        for key in push.remove { remove(key) }
    }
}
