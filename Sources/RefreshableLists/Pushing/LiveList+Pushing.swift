import KeyedLists
import ListProtocol
import Logging
import WebSockets

/// Other programs change the list over HTTP.
extension LiveList {
    /// Does a push, and answers once it is kept.
    func answer(_ push: Push, _ exchange: HTTPExchange) { exchange.answer(response(to: push)) }

    func response(to push: Push) -> HTTPResponse {
        switch rememberedPushes[push, now] {
        case .done(let outcome): return .pushed(outcome)
        case .mismatch:
            return .problem(
                422, "The Idempotency-Key was sent with another push before. Give each push a key of its own.")
        case .unknown: break
        }
        do {
            return perform(push, try push.request(pushLimits))
        } catch {
            return .problem(error.code == .tooLarge ? 413 : 400, error.message)
        }
    }

    private func perform(_ push: Push, _ request: PushRequest) -> HTTPResponse {
        do throws(EditError) {
            let current = try revision
            guard push.applies(at: current) else { throw EditError.conflict(current) }
            let done = try commit(RowEdits(request), rowLimit: pushLimits.listRows)
            let outcome = RememberedPushes.Outcome(
                revision: done.revision, isNew: push.kind.isPut && done.growth > 0)
            rememberedPushes.remember(outcome, of: push, now)
            scheduleForgetting()
            return .pushed(outcome)
        } catch {
            if case .unavailable(let reason) = error { logOnce("Cannot keep a push", reason) }
            return .problem(error, of: request, push.kind)
        }
    }
}
