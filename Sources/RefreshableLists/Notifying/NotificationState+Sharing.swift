import ListStorage

/// What other servers have kept, and what becomes of notices then.
///
/// ```
/// takeDue ──▶ written by compare ──told──▶ sent
///                  │    ├──looks, at another server──▶ due when they are silent
///                  │    └──told by another server────▶ over
///                  └──not written──▶ due again later
/// ```
extension NotificationState {
    /// Who asks, and how much was counted, seen and told at other servers. What this server has not written yet stays.
    mutating func take(_ update: SubscriptionUpdate) {
        if update.isWhole {
            let there = Set(update.set.map(\.name))
            for name in all.map(\.name) where !there.contains(name) && !new.contains(name) { drop(name) }
        }
        for name in update.removed where !new.contains(name) { drop(name) }
        for subscription in update.set where !removed.contains(subscription.name) { take(subscription) }
        for (name, arrivals) in update.arrivals { take(arrivals, of: name) }
    }

    private mutating func take(_ subscription: StoredSubscription) {
        var list = lists[subscription.list] ?? makeList()
        var subscriber = list.subscribers[subscription.id] ?? Subscriber(stored: subscription)
        if list.subscribers[subscription.id] == nil { count += 1 }
        let known = subscriber.stored
        if !new.contains(subscription.name) { subscriber.stored = subscription }
        subscriber.stored.seen = max(known.seen, subscription.seen)
        subscriber.stored.told = max(known.told, subscription.told)
        list.subscribers[subscription.id] = subscriber
        lists[subscription.list] = list
    }

    /// Where this server counts, it knows better, but for what the server before it wrote last.
    private mutating func take(_ arrivals: StoredArrivals, of name: String) {
        var list = lists[name] ?? makeList()
        let total = max(list.arrivals.total, arrivals.total)
        if !list.isCounted { list.arrivals = arrivals }
        list.arrivals.total = total
        lists[name] = list
    }

    /// Another server counts a list's arrivals from now on, and tells of them.
    mutating func stopCounting(_ name: String) {
        guard isShared else { return }
        lists[name]?.isCounted = false
        lists[name]?.dueAt = nil
        moved.remove(name)
    }

    /// It was written who is told.
    ///
    /// - Returns: what is to be sent.
    mutating func settle(_ notices: [Notice], _ outcomes: [SubscriptionName: TellOutcome], now: Int64) -> [Notice] {
        notices.compactMap { notice in
            switch outcomes[notice.subscription.name] ?? .over {
            case .told(let seen):
                var notice = notice
                notice.unread -= max(0, seen - notice.subscription.seen)
                return notice.unread > 0 ? notice : nil
            case .looks(let milliseconds):
                tellLater(notice, at: now + milliseconds)
            case .over:
                // What they were told, and by whom, is read with what others have changed.
                lists[notice.subscription.list]?.subscribers[notice.subscription.id]?.stored.told =
                    notice.subscription.told
            }
            return nil
        }
    }

    /// It could not be written who is told: that is tried again.
    mutating func postpone(_ notices: [Notice], now: Int64) {
        for notice in notices { tellLater(notice, at: now + Self.pause) }
    }

    private mutating func tellLater(_ notice: Notice, at moment: Int64) {
        guard var list = lists[notice.subscription.list] else { return }
        list.subscribers[notice.subscription.id]?.stored.told = notice.subscription.told
        list.dueAt = min(list.dueAt ?? .max, moment)
        lists[notice.subscription.list] = list
    }
}
