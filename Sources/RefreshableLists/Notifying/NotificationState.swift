import KeyedLists
import ListStorage

/// Who wants to be told of new rows, what each has seen and was told, and what is due. A pure rule: the time is passed in, in
/// milliseconds of uptime.
///
/// ```
/// arrivals of a list   ──────●──────────●─────────●──▶ total
///                           seen       told
///                            └ unread: what a notification counts
///                                       └ untold: why one is due
/// ```
/// What is due is told 3 s after the first row, so that rows that come together are one notification; no list tells the same
/// browser more often than every 10 s. Whoever has the list on the screen says so every 20 s, and has seen all that is there
/// then; they are told what has come since only if they are silent for 45 s. So nobody is told what they look at, and whose
/// phone was lost in the middle of it is told what they missed.
///
/// Of several servers each knows of all who ask, and the one that leads a list counts its arrivals and tells of them.
struct NotificationState {
    /// Why somebody can't be told.
    enum Limit: Error {
        /// The server has as many as it takes.
        case server
        /// So has the list.
        case list
    }

    /// What is to be sent.
    struct Notice: Sendable {
        let subscription: StoredSubscription
        /// Rows that came since they looked last.
        var unread: Int
        /// The newest row, if it is known.
        let newest: Arrival.Shown?
    }

    struct Subscriber {
        var stored: StoredSubscription
        /// Until when they may have the list on the screen.
        var looksUntil: Int64 = .min
    }

    struct List {
        var arrivals = StoredArrivals()
        /// Whether this server counts them, and tells of them.
        var isCounted = false
        var subscribers: [String: Subscriber] = [:]
        /// When it is looked who is to be told; nil: there is nothing to tell.
        var dueAt: Int64?
        var toldAt: Int64?

        /// Whether somebody was not told of all that came.
        var hasUntold: Bool { subscribers.values.contains { $0.stored.told < arrivals.total } }
    }

    typealias Name = SubscriptionName

    /// Subscriptions at most, of all lists and of one.
    static let (mostOfServer, mostOfList) = (20_000, 10_000)
    static let fold: Int64 = 3000
    static let pause: Int64 = 10_000
    private static let lease: Int64 = 45_000

    var lists: [String: List] = [:]
    /// Whether other servers tell people as well, each of the lists that it leads.
    let isShared: Bool
    var count = 0
    var changed: Set<Name> = []
    var removed: Set<Name> = []
    var moved: Set<String> = []
    /// Those that asked and are not kept yet.
    var new: Set<Name> = []
    /// Those that are told as soon as it is written.
    private var due: Set<Name> = []
    /// Those that said whether they look.
    var looks: Set<Name> = []
    /// Whether something is to be written before anything else happens. Where a list is, alone, may wait.
    private(set) var isUrgent = false

    /// What was kept. Rows that came before the last end and were not told are due; of several servers, at the one that counts them.
    init(
        _ subscriptions: [StoredSubscription] = [], arrivals: [String: StoredArrivals] = [:], isShared: Bool = false,
        now: Int64 = 0
    ) {
        self.isShared = isShared
        for subscription in subscriptions {
            var list = lists[subscription.list] ?? makeList(arrivals[subscription.list])
            if list.isCounted, subscription.told < list.arrivals.total { list.dueAt = now + Self.fold }
            list.subscribers[subscription.id] = Subscriber(stored: subscription)
            lists[subscription.list] = list
            count += 1
        }
    }

    func makeList(_ arrivals: StoredArrivals? = nil) -> List {
        List(arrivals: arrivals ?? StoredArrivals(), isCounted: !isShared)
    }

    /// Lists that somebody wants to be told of, and where each was when its rows were counted last.
    var subscribedLists: [String: ListRevision?] {
        lists.filter { !$0.value.subscribers.isEmpty }.mapValues { list in
            list.arrivals.epoch.map { ListRevision(epoch: $0, revision: list.arrivals.revision) }
        }
    }

    var all: [StoredSubscription] { lists.values.flatMap { $0.subscribers.values.map(\.stored) } }

    /// The lists of which a browser is to be told.
    func lists(of id: String) -> [String] { lists.filter { $0.value.subscribers[id] != nil }.keys.sorted() }

    /// When something is due; nil: never.
    var nextMoment: Int64? { lists.values.lazy.compactMap(\.dueAt).min() }

    func isSubscribed(_ id: String, to list: String) -> Bool { lists[list]?.subscribers[id] != nil }

    /// Whether there is something to write.
    var hasChanges: Bool { !changed.isEmpty || !removed.isEmpty || !moved.isEmpty || !looks.isEmpty }

    // MARK: What happens

    /// Somebody asks to be told from now on; what is there already, they have seen. Asked again, it is the same.
    mutating func subscribe(_ subscription: StoredSubscription) throws(Limit) {
        var subscription = subscription
        var list = lists[subscription.list] ?? makeList()
        if let known = list.subscribers[subscription.id] {
            (subscription.seen, subscription.told) = (known.stored.seen, known.stored.told)
        } else {
            guard count < Self.mostOfServer else { throw .server }
            guard list.subscribers.count < Self.mostOfList else { throw .list }
            (subscription.seen, subscription.told) = (list.arrivals.total, list.arrivals.total)
            count += 1
            // While nobody asked, nobody has counted. Of several servers the store says since when.
            if list.subscribers.isEmpty, !isShared { list.arrivals.epoch = nil }
        }
        list.subscribers[subscription.id, default: Subscriber(stored: subscription)].stored = subscription
        lists[subscription.list] = list
        note(subscription.name)
        new.insert(subscription.name)
    }

    /// A new subscription could not be kept: it never was.
    mutating func abandon(_ name: Name) { drop(name) }

    /// Tells them nothing more of a list. Nothing, where they are not told of it.
    mutating func unsubscribe(_ id: String, from list: String) {
        guard isSubscribed(id, to: list) else { return }
        drop(Name(id: id, list: list))
        removed.insert(Name(id: id, list: list))
        isUrgent = true
    }

    /// Nothing is known of it any more.
    mutating func drop(_ name: Name) {
        guard var list = lists[name.list], list.subscribers.removeValue(forKey: name.id) != nil else { return }
        count -= 1
        if list.subscribers.isEmpty, isShared { list.isCounted = false }
        lists[name.list] = list
        changed.remove(name)
        new.remove(name)
        looks.remove(name)
    }

    /// The same, of all lists.
    mutating func forget(_ id: String) { for list in lists(of: id) { unsubscribe(id, from: list) } }

    /// Rows have come, or a list has gone on without.
    mutating func arrived(_ arrival: Arrival, on name: String, now: Int64) {
        guard var list = lists[name] else { return }
        list.arrivals.epoch = arrival.at.epoch
        list.arrivals.revision = arrival.at.revision
        moved.insert(name)
        if !list.isCounted {
            list.isCounted = true
            // What the server before it has counted, and not told.
            if list.hasUntold { list.dueAt = now + Self.fold }
        }
        if arrival.count > 0 {
            list.arrivals.total += arrival.count
            (list.arrivals.key, list.arrivals.title) = (arrival.first?.key, arrival.first?.title)
            let moment = max(now + Self.fold, list.toldAt.map { $0 + Self.pause } ?? .min)
            list.dueAt = min(list.dueAt ?? .max, moment)
            isUrgent = true
        }
        lists[name] = list
    }

    /// Somebody has the list on the screen, or has it no longer. What is there, they have seen.
    ///
    /// - Returns: Whether they are told of this list at all.
    mutating func saw(_ id: String, _ name: String, isLooking: Bool, now: Int64) -> Bool {
        guard let total = lists[name]?.arrivals.total, var subscriber = lists[name]?.subscribers[id] else {
            return false
        }
        subscriber.looksUntil = isLooking ? now + Self.lease : .min
        let isNews = subscriber.stored.seen < total
        (subscriber.stored.seen, subscriber.stored.told) = (total, total)
        lists[name]?.subscribers[id] = subscriber
        if isNews { note(Name(id: id, list: name)) }
        looks.insert(Name(id: id, list: name))
        return true
    }

    /// What is to be sent now. It counts as told from here on: it is written, and then sent.
    mutating func takeDue(now: Int64) -> [Notice] {
        var notices: [Notice] = []
        for (name, list) in lists where list.dueAt.map({ $0 <= now }) ?? false {
            let arrivals = list.arrivals
            let newest = arrivals.key.map { Arrival.Shown(key: $0, title: arrivals.title) }
            var later: Int64?
            for (id, subscriber) in list.subscribers where subscriber.stored.told < arrivals.total {
                // Of several servers the store knows who looks: they may have left at another.
                guard isShared || subscriber.looksUntil <= now else {
                    later = min(later ?? .max, subscriber.looksUntil)
                    continue
                }
                lists[name]?.subscribers[id]?.stored.told = arrivals.total
                lists[name]?.toldAt = now
                note(subscriber.stored.name)
                due.insert(subscriber.stored.name)
                notices.append(
                    Notice(
                        subscription: subscriber.stored, unread: arrivals.total - subscriber.stored.seen, newest: newest
                    ))
            }
            lists[name]?.dueAt = later
        }
        return notices
    }

    /// What is to be written, once.
    mutating func takeChanges(now: Int64 = 0) -> SubscriptionChanges {
        defer { (changed, removed, moved, new, due, looks, isUrgent) = ([], [], [], [], [], [], false) }
        var changes = SubscriptionChanges(
            set: changed.compactMap { lists[$0.list]?.subscribers[$0.id]?.stored },
            removed: removed.map { ($0.id, $0.list) },
            arrivals: Dictionary(
                uniqueKeysWithValues: moved.compactMap { name in lists[name].map { (name, $0.arrivals) } }))
        (changes.new, changes.due) = (new, due)
        for name in looks {
            guard let looksUntil = lists[name.list]?.subscribers[name.id]?.looksUntil else { continue }
            changes.looks[name] = looksUntil > now ? looksUntil - now : 0
        }
        return changes
    }

    /// What could not be written is written with whatever is written next.
    mutating func putBack(_ changes: SubscriptionChanges) {
        changed.formUnion(changes.set.map(\.name))
        removed.formUnion(changes.removed.map { Name(id: $0.id, list: $0.list) })
        moved.formUnion(changes.arrivals.keys)
        new.formUnion(changes.new)
        looks.formUnion(changes.looks.keys)
    }

    private mutating func note(_ name: Name) {
        removed.remove(name)
        changed.insert(name)
    }
}
