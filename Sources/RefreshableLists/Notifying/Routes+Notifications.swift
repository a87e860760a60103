import WebSockets

/// Answers what pages ask about notifications (``NotificationRequest``). Each needs the right to read the list.
extension Routes {
    func answerNotifications(_ id: String?, _ request: HTTPRequest, _ exchange: HTTPExchange) throws(Refused) {
        let visitor = try visitor(request)
        guard !visitor.isNobody else {
            throw turnAway(visitor, .unauthorised("Show a token to be notified of new rows."))
        }
        try check(request, allows: "GET, HEAD")
        try refuseIdentified(visitor)
        guard let notifier, let key = notifier.publicKey else {
            if notifier?.isWaiting ?? false { throw Refused(.cannotKeepSubscription) }
            throw Refused(.problem(404, "No list of this server notifies anybody."))
        }
        if let id { return notifier.answerLists(of: id, for: visitor, exchange) }
        exchange.answer(.json(200, Array(#"{"key":"\#(key)"}"#.utf8)))
    }

    func answerSubscription(
        to name: String, _ id: String, isSeen: Bool, _ request: HTTPRequest, _ exchange: HTTPExchange
    ) throws(Refused) {
        let (list, visitor) = try notifyingList(name, request)
        try check(request, allows: isSeen ? "PUT" : "PUT, DELETE")
        guard let notifier, notifier.publicKey != nil else {
            throw Refused(notifier?.isWaiting ?? false ? .cannotKeepSubscription : .notNotifying(name))
        }
        if isSeen {
            do throws(NotificationRequest.Fault) {
                notifier.saw(list, id, isLooking: try NotificationRequest.isVisible(request.body), exchange)
            } catch { throw Refused(.problem(error)) }
        } else if request.method == "PUT" {
            notifier.subscribe(id, to: list, by: visitor, request, exchange)
        } else {
            notifier.unsubscribe(id, from: list, exchange)
        }
    }

    /// Whom another server knows, nobody can ask about when a row comes: whether they may still read the list.
    private func refuseIdentified(_ visitor: Visitor) throws(Refused) {
        guard visitor.isIdentified else { return }
        throw Refused(.problem(404, "Who signed in by another server is not notified."))
    }

    /// A list that whoever asks may read, and that notifies.
    func notifyingList(_ name: String, _ request: HTTPRequest) throws(Refused) -> (LiveList, Visitor) {
        let visitor = try visitor(request)
        let list = try list(name, visitor)
        try check(visitor, may: .read, list)
        try refuseIdentified(visitor)
        guard list.description.notify != nil else { throw Refused(.notNotifying(name)) }
        return (list, visitor)
    }
}
