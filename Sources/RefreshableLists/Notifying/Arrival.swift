import KeyedLists
import ListStorage

/// Rows that came to a list, for those who want to be told.
struct Arrival: Sendable {
    /// A row, as much of it as a notification says.
    struct Shown: Hashable, Sendable {
        let key: String
        /// Nil: it has none.
        let title: String?
    }

    /// How many.
    var count: Int
    /// The first of them; nil where that can't be told from rows that were changed.
    var first: Shown?
    /// Where the list is now.
    let at: ListRevision

    /// What a commit brought, if that is news.
    init(of commit: Commit, in epoch: Epoch, isNews: Bool) {
        at = ListRevision(epoch: epoch, revision: commit.revision)
        count = isNews ? commit.changes.inserted : 0
        guard count > 0 else { return }
        let candidates = commit.rows.filter(commit.mayHaveInserted)
        first = candidates.count == count ? candidates.first.map(Shown.init) : nil
    }

    /// What has come since a revision that was noted last, before the process ended.
    ///
    /// - Parameter known: nil, or of another epoch: nothing is known to be new.
    init(to rows: KeyedList, in epoch: Epoch, since known: ListRevision?) {
        at = ListRevision(epoch: epoch, revision: rows.revision)
        count = 0
        guard let known, known.epoch == epoch, rows.remembers(known.revision), known.revision < rows.revision else {
            return
        }
        let new = rows.rows.filter {
            $0.fieldsRevision > known.revision && $0.positionRevision > known.revision
        }
        count = new.count
        first = new.first.map(Shown.init)
    }
}

extension Commit {
    /// Whether a row may have come with this commit: it has both of its revisions from it. So has a row that was changed and moved.
    func mayHaveInserted(_ row: PlacedRow) -> Bool {
        row.fieldsRevision == revision && row.positionRevision == revision
    }
}

extension Arrival.Shown {
    init(_ row: PlacedRow) {
        key = row.key.string
        if case .string(let title) = row.fields["title"] { self.title = title } else { title = nil }
    }
}

extension LiveList {
    /// Whether somebody wants to be told of new rows. Then the list goes on as if it were watched: it follows its source, and
    /// refreshes by `every`.
    ///
    /// - Parameter known: where it was when its rows were last told of; what has come since is told now.
    func setSubscribed(_ isWanted: Bool, since known: ListRevision? = nil) {
        guard !hasEnded, isWanted != isSubscribed else { return }
        isSubscribed = isWanted
        do { try load() } catch { logUnreadable(error) }
        perform(gate.watchers(watcherCount, now: now))
        guard isWanted, let kept else { return }
        arrivals.tell(Arrival(to: kept.rows, in: kept.epoch, since: known))
        follow()
        loadInitially()
    }

    /// Those who watch, and one more where somebody waits to be told.
    var watcherCount: Int { broadcaster.count + shared.lead.watchersElsewhere + (isSubscribed ? 1 : 0) }

    /// Tells of the rows that a commit brought.
    func tellArrivals(_ commit: Commit, in epoch: Epoch, isNews: Bool) {
        guard isSubscribed else { return }
        arrivals.tell(Arrival(of: commit, in: epoch, isNews: isNews))
    }
}
