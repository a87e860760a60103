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
        // A row that came has both of its revisions from this commit; so has one that was changed and moved.
        let candidates = commit.rows.filter {
            $0.fieldsRevision == commit.revision && $0.positionRevision == commit.revision
        }
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
    var watcherCount: Int { broadcaster.count + (isSubscribed ? 1 : 0) }

    /// Tells of the rows that a commit brought.
    func tellArrivals(_ commit: Commit, in epoch: Epoch, isNews: Bool) {
        guard isSubscribed else { return }
        arrivals.tell(Arrival(of: commit, in: epoch, isNews: isNews))
    }

    /// Whether the rows of a commit are news: those of a list that loads for the first time are not, whoever writes them, nor those of
    /// a page. A list with rows of its own has loaded with its first commit.
    func isNews(_ commit: Commit, by run: RunID?) -> Bool {
        if run != nil, work?.cause == .more { return false }
        guard description.initialRows == nil else { return commit.revision > 1 }
        return work == nil || kept?.facts.updatedAt != nil
    }
}
