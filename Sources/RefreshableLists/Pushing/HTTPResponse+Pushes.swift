import KeyedLists
import ListProtocol
import WebSockets

/// What a program is told of its push.
extension HTTPResponse {
    /// It is kept, and the list is here now.
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
        case .unavailable: return problem(503, "The rows cannot be kept at the moment. Send the push again later.")
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
