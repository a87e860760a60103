import Locking

/// Decides by the head of a request whether its body is read, skipped or refused.
package enum BodyPlan: Sendable {
    /// Nobody reads it. It is passed over, and kept nowhere.
    case discard
    /// It is read, up to so many bytes; more is a 413.
    case keep(limit: Int)
    /// The request is answered now, and the connection ends: what follows the head is not read.
    case refuse(HTTPResponse)
}

/// The body of a request while it comes in.
struct RequestBody {
    var request: HTTPRequest
    /// Bytes that are still to come.
    var missing: Int
    let isKept: Bool
    /// Its part of the budget.
    let lease: BodyBudget.Lease?
}

/// Limits the bytes of request bodies that a process holds at a time, over all connections. From any thread.
final class BodyBudget: Sendable {
    /// A part of it that is taken, until the last reference is released.
    final class Lease: Sendable {
        private let budget: BodyBudget
        private let size: Int

        fileprivate init(_ budget: BodyBudget, _ size: Int) {
            self.budget = budget
            self.size = size
        }

        deinit { budget.free.withLock { $0 += size } }
    }

    private let free: Locked<Int>

    init(_ size: Int) { free = Locked(size) }

    /// Nil where so much is not left.
    func lease(_ size: Int) -> Lease? {
        let isThere = free.withLock { free in
            guard free >= size else { return false }
            free -= size
            return true
        }
        return isThere ? Lease(self, size) : nil
    }
}

/// Finds how the body of a request is delimited (RFC 9112 §6.3). A pure rule.
enum BodyFraming: Equatable {
    /// So many bytes come, perhaps none: `curl -X POST` sends no length with none.
    case length(Int)
    /// Respond and close: the next request can't be separated from what follows.
    case refused(HTTPResponse)

    init(headers: HTTPHeaders) {
        if headers["Transfer-Encoding"] != nil {
            self = .refused(.text(411, "Transfer-Encoding is not supported here. Send a Content-Length."))
        } else if let text = headers["Content-Length"] {
            self = Self.length(text)
        } else {
            self = .length(0)
        }
    }

    private static func length(_ text: String) -> BodyFraming {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text)
        else { return .refused(.text(400, "The Content-Length is not a number.")) }
        return .length(length)
    }
}
