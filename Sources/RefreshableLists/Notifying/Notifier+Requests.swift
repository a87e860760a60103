import KeyedLists
import ListStorage
import Locking
import WebSockets

/// What pages ask.
extension Notifier {
    /// By which browsers subscribe; nil: no list notifies.
    var publicKey: String? { opened.withLock { $0?.publicKey } }

    /// How many have asked, and what became of what was sent.
    var counts: NotificationCounts { counted.withLock(\.self) }

    /// Tells which of the lists that somebody may read they are told of.
    func answerLists(of id: String, for visitor: Visitor, _ exchange: HTTPExchange) {
        executor.post { [self] in
            var json = JSONWriter()
            json.beginObject()
            json.name("lists")
            json.beginArray()
            for name in state.lists(of: id) where visitor.may(.read, name) { json.value(name) }
            json.endArray()
            json.endObject()
            exchange.answer(.json(200, json.bytes))
        }
    }

    /// Keeps a subscription, and answers once the list counts for it.
    func subscribe(
        _ id: String, to list: LiveList, by visitor: Visitor, _ request: HTTPRequest, _ exchange: HTTPExchange
    ) {
        let subscription: StoredSubscription
        do throws(NotificationRequest.Fault) {
            subscription = try NotificationRequest.subscription(
                request.body, id: id, list: list.name, owner: visitor.digest?.hexadecimal ?? "",
                signIn: PresentedToken.of(request)?.signIn?.stored, site: request.headers["Host"] ?? "localhost",
                services: services)
        } catch { return exchange.answer(.problem(error)) }
        executor.post { [self] in
            let isFirst = state.subscribedLists[list.name] == nil
            do throws(NotificationState.Limit) { try state.subscribe(subscription) } catch {
                return exchange.answer(.tooManySubscriptions(error))
            }
            guard flush() else {
                state.unsubscribe(id, from: list.name)
                return exchange.answer(.problem(503, "The subscription can't be kept at the moment. Ask again later."))
            }
            guard isFirst else { return exchange.answer(HTTPResponse(status: 204)) }
            list.post { list in
                list.setSubscribed(true)
                exchange.answer(HTTPResponse(status: 204))
            }
        }
    }

    func unsubscribe(_ id: String, from list: LiveList, _ exchange: HTTPExchange) {
        executor.post { [self] in
            remove([(id, list.name)])
            exchange.answer(HTTPResponse(status: 204))
        }
    }

    /// Somebody has a list on the screen, or no longer.
    func saw(_ list: LiveList, _ id: String, isLooking: Bool, _ exchange: HTTPExchange) {
        executor.post { [self] in
            guard state.saw(id, list.name, isLooking: isLooking, now: now) else {
                return exchange.answer(
                    .problem(404, "This browser is not told of \"\(list.name)\". Subscribe it first."))
            }
            advance()
            exchange.answer(HTTPResponse(status: 204))
        }
    }
}
