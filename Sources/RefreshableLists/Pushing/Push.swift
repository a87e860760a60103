import KeyedLists
import ListProtocol
import ListStorage
import Locking
import Logging
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
                set(ListRow(key: change.key, fields: fields), change.place)
            } else {
                move(change.key, change.place)
            }
        }
        for key in push.remove { remove(key) }
    }
}

/// Other programs change the list over HTTP.
extension LiveList {
    /// Makes a push in its turn, and answers once it is stored.
    func answer(_ push: Push, _ exchange: HTTPExchange) {
        guard let store = store.shared, let key = push.key else { return perform(push, exchange) }
        // Another server may have done it.
        recall(key.bytes, in: store) { [self] _ in perform(push, exchange) }
    }

    private func perform(_ push: Push, _ exchange: HTTPExchange) {
        let request = Locked<PushRequest?>(nil)
        func outcome(_ revision: ListRevision, _ growth: Int) -> PushAnswers.Outcome {
            PushAnswers.Outcome(revision: revision, isNew: push.kind.isPut && growth > 0)
        }
        func words(_ revision: ListRevision, _ growth: Int) -> [UInt8] {
            PushAnswers.words(outcome(revision, growth), of: push)
        }
        commit(rowLimit: pushLimits.listRows, recording: push.key?.bytes, as: words) { [self] () throws(EditError) in
            if let response = earlierResponse(to: push) {
                exchange.answer(response)
                return nil
            }
            let asked: PushRequest
            do throws(MessageError) { asked = try push.request(pushLimits) } catch {
                exchange.answer(.problem(error.code == .tooLarge ? 413 : 400, error.message))
                return nil
            }
            let current = try revision
            guard push.applies(at: current) else { throw .conflict(current) }
            request.withLock { $0 = asked }
            return RowEdits(asked)
        } then: { [self] done in
            switch done {
            case .success(let (revision, growth)):
                let outcome = outcome(revision, growth)
                rememberedPushes.remember(outcome, of: push, now)
                scheduleForgetting()
                exchange.answer(.pushed(outcome))
            case .failure(let error):
                if case .unavailable(let reason) = error { logUnkept(reason) }
                exchange.answer(.problem(error, of: request.withLock(\.self), push.kind))
            }
        }
    }

    /// What it was answered when it was sent before.
    private func earlierResponse(to push: Push) -> HTTPResponse? {
        switch rememberedPushes[push, now] {
        case .done(let outcome): .pushed(outcome)
        case .mismatch:
            .problem(422, "The Idempotency-Key was used for another push. Use a new key for each push.")
        case .unknown: nil
        }
    }
}

/// Answers to pushes.
extension HTTPResponse {
    /// It is stored, and this is the list now.
    static func pushed(_ outcome: PushAnswers.Outcome) -> HTTPResponse {
        var json = JSONWriter(reserving: 64)
        json.beginObject()
        json.place(outcome.revision)
        json.endObject()
        var response = HTTPResponse.json(outcome.isNew ? 201 : 200, json.bytes)
        response.headers["ETag"] = outcome.revision.entityTag
        return response
    }

    /// It was not done.
    static func problem(_ error: EditError, of request: PushRequest?, _ kind: Push.Kind) -> HTTPResponse {
        switch error {
        case .conflict(let current):
            var response = problem(412, error.description) { $0.place(current) }
            response.headers["ETag"] = current.entityTag
            return response
        case .unknownRow(let key): return problem(422, request?.missingFields(of: key, kind) ?? error.description)
        case .tooManyRows: return problem(422, error.description)
        case .duplicateKey, .emptyKey, .keyTooLong, .rowTooLarge: return problem(400, error.description)
        case .unavailable: return unavailable("The rows cannot be kept at the moment. Send the push again later.")
        case .ended: return problem(503, "The server is stopping. Send the push again later.")
        }
    }
}

extension PushRequest {
    /// Names the row that is to be moved and is not there.
    fileprivate func missingFields(of key: Key, _ kind: Push.Kind) -> String {
        let index = set.firstIndex { $0.key == key } ?? 0
        let member = kind.isPut ? "fields" : "set[\(index)].fields"
        return "\(member): is missing, and the list has no such row to move. Send fields to insert it."
    }
}

extension Push.Kind {
    var isPut: Bool {
        if case .put = self { true } else { false }
    }
}

extension JSONWriter {
    fileprivate mutating func place(_ revision: ListRevision) {
        member("epoch", revision.epoch.description)
        member("revision", revision.revision)
    }
}
