import KeyedLists
import ListProtocol
import Logging
import WebSockets

/// Other programs change the list over HTTP.
extension LiveList {
    /// Does a push in its turn, and answers once it is kept.
    func answer(_ push: Push, _ exchange: HTTPExchange) {
        let request = Locked<PushRequest?>(nil)
        commit(rowLimit: pushLimits.listRows) { [self] () throws(EditError) in
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
                let outcome = PushAnswers.Outcome(revision: revision, isNew: push.kind.isPut && growth > 0)
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
            .problem(422, "The Idempotency-Key was sent with another push before. Give each push a key of its own.")
        case .unknown: nil
        }
    }
}
