import KeyedLists
import ListStorage
import Locking
import WebSockets

/// What pages ask. Of several servers, each answers for all: what others have changed is read first.
extension Notifier {
    /// By which browsers subscribe; nil: no list notifies, or the database is away.
    var publicKey: String? { opened?.publicKey }

    /// Whether the database was away so far.
    var isWaiting: Bool { if case .waiting = opening.withLock(\.self) { true } else { false } }

    /// How many have asked, and what became of what was sent.
    var counts: NotificationCounts { counted.withLock(\.self) }

    /// Tells which of the lists that somebody may read they are told of.
    func answerLists(of id: String, for visitor: Visitor, _ exchange: HTTPExchange) {
        executor.post { [self] in
            afterReading { [self] in
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
        executor.post { [self] in afterReading { [self] in subscribe(subscription, to: list, exchange) } }
    }

    private func subscribe(_ subscription: StoredSubscription, to list: LiveList, _ exchange: HTTPExchange) {
        let isNew = !state.isSubscribed(subscription.id, to: list.name)
        do throws(NotificationState.Limit) { try state.subscribe(subscription) } catch {
            return exchange.answer(.tooManySubscriptions(error))
        }
        afterWriting { [self] isKept in
            guard isKept else {
                if isNew { state.abandon(subscription.name) }
                return exchange.answer(.cannotKeepSubscription)
            }
            // The store knows from where on the list counts for it.
            afterReading { [self] in
                tellLists()
                list.post { _ in exchange.answer(HTTPResponse(status: 204)) }
            }
        }
    }

    func unsubscribe(_ id: String, from list: LiveList, _ exchange: HTTPExchange) {
        executor.post { [self] in
            afterReading { [self] in
                state.unsubscribe(id, from: list.name)
                tellLists()
                afterWriting { isKept in
                    exchange.answer(isKept ? HTTPResponse(status: 204) : .cannotKeepSubscription)
                }
            }
        }
    }

    /// Somebody has a list on the screen, or no longer.
    func saw(_ list: LiveList, _ id: String, isLooking: Bool, _ exchange: HTTPExchange) {
        executor.post { [self] in
            guard !state.isSubscribed(id, to: list.name) else {
                return sawKnown(list.name, id, isLooking: isLooking, exchange)
            }
            // They may have asked at another server a moment ago.
            afterReading { [self] in sawKnown(list.name, id, isLooking: isLooking, exchange) }
        }
    }

    private func sawKnown(_ list: String, _ id: String, isLooking: Bool, _ exchange: HTTPExchange) {
        guard state.saw(id, list, isLooking: isLooking, now: now) else {
            return exchange.answer(.problem(404, "This browser is not told of \"\(list)\". Subscribe it first."))
        }
        advance()
        afterWriting { _ in exchange.answer(HTTPResponse(status: 204)) }
    }
}
