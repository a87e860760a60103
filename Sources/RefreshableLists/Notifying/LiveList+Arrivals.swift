import KeyedLists
import ListStorage

/// From where on a list counts the rows that come to it.
///
///     off ──subscribed, by the only server──▶ on ──another leads──▶ off
///      └────this server leads from now on──▶ waiting ──told since when──▶ on
enum ArrivalCounting {
    /// Nobody wants to be told of them, or another server counts them.
    case off
    /// It waits to hear how far the former leader has counted. From its own place on it counts in any case, but for revisions
    /// whose rows are no news.
    case waiting(since: ListRevision, noNews: Set<Revision>)
    /// All up to there are counted, or no news.
    case on(upTo: ListRevision)
}

/// Rows that come are counted and told, by one server.
extension LiveList {
    /// Those who watch, and one more where somebody waits to be told.
    var watcherCount: Int { broadcaster.count + shared.lead.watchersElsewhere + (isSubscribed ? 1 : 0) }

    /// Whether somebody wants to be told of new rows, at whichever server. Then the list goes on as if it were watched: it
    /// follows its source, and refreshes by `every`. Who leads it counts what comes; where nobody does, this server takes the lead.
    ///
    /// - Parameter known: where it was when its rows were last told of; what has come since is told now.
    func setSubscribed(_ isWanted: Bool, since known: ListRevision? = nil) {
        guard !hasEnded, isWanted != isSubscribed else { return }
        isSubscribed = isWanted
        arrivalCounting = .off
        do { try load() } catch { logUnreadable(error) }
        perform(gate.watchers(watcherCount, now: now))
        guard isWanted, kept != nil else { return }
        guard decides else { return readShared() }
        countArrivals(since: known)
        follow()
        loadInitially()
    }

    /// The database is there again: a list that could not be read is read now.
    func subscribeAgain() {
        guard isSubscribed, kept == nil else { return }
        isSubscribed = false
        setSubscribed(true)
    }

    /// This server leads the list from now on: it asks how far the one before has counted.
    func beginCounting() {
        guard isSubscribed, let kept else { return }
        arrivalCounting = .waiting(since: kept.current, noNews: [])
        countsArrivals.tell(true)
    }

    /// Another leads it.
    func endCounting() {
        arrivalCounting = .off
        countsArrivals.tell(false)
    }

    /// The answer to `beginCounting`. A place in another history is as good as none.
    func continueCounting(since known: ListRevision?) {
        guard case .waiting(let begun, let noNews) = arrivalCounting, let kept else { return }
        countArrivals(since: known?.epoch == kept.epoch ? known : begun, except: noNews)
    }

    private func countArrivals(since known: ListRevision?, except noNews: Set<Revision> = []) {
        guard let kept else { return }
        // What a list first loads is no news to who asked before that.
        let isBeforeFirstLoad = known?.revision == 0 && description.handler(for: .initial) != nil
        tell(Arrival(to: kept.rows, in: kept.epoch, since: isBeforeFirstLoad ? nil : known, except: noNews))
    }

    private func tell(_ arrival: Arrival) {
        arrivalCounting = .on(upTo: arrival.at)
        arrivals.tell(arrival)
    }

    /// Tells of the rows that a commit of this server brought.
    func tellArrivals(_ commit: Commit, in epoch: Epoch, isNews: Bool) {
        switch arrivalCounting {
        case .off:
            // It could not be read when somebody asked.
            guard isSubscribed, store.shared == nil else { break }
            tell(Arrival(of: commit, in: epoch, isNews: isNews))
        case .waiting(let begun, var noNews):
            guard !isNews else { break }
            noNews.insert(commit.revision)
            arrivalCounting = .waiting(since: begun, noNews: noNews)
        case .on(let place):
            guard place.epoch != epoch || place.revision < commit.revision else { break }
            tell(Arrival(of: commit, in: epoch, isNews: isNews))
        }
    }

    /// Which rows come with what other servers have committed, before it is taken; nil: they are not counted here.
    func arrivals(with update: StoredUpdate, to kept: PersistentList) -> Arrival? {
        guard case .on(let place) = arrivalCounting else { return nil }
        // A list's own first rows are no news, whichever server keeps them.
        let noNews: Set<Revision> = description.initialRows == nil ? [] : [1]
        return switch update.rows {
        case .changes(let changes): Arrival(of: changes, to: kept.rows, since: place, except: noNews)
        case .whole(let rows, _, _):
            Arrival(of: rows, in: update.place.epoch, to: kept.rows, since: place, except: noNews)
        }
    }

    /// Tells of the rows that came with it, once it was taken.
    func tellArrivals(with found: Arrival?) {
        if let found, case .on = arrivalCounting { tell(found) }
    }
}
