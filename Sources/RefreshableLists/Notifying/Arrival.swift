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

    /// What has come since a revision that was noted last, by this process or one before it.
    ///
    /// - Parameters:
    ///   - known: nil, or of another epoch: nothing is known to be new. Of another server, it may be ahead of the rows.
    ///   - others: revisions whose rows are no news.
    init(to rows: KeyedList, in epoch: Epoch, since known: ListRevision?, except others: Set<Revision> = []) {
        count = 0
        guard let known, known.epoch == epoch else {
            at = ListRevision(epoch: epoch, revision: rows.revision)
            return
        }
        at = ListRevision(epoch: epoch, revision: max(known.revision, rows.revision))
        guard rows.remembers(known.revision), known.revision < rows.revision else { return }
        let new = rows.rows.filter { $0.isNew(since: known.revision) && !others.contains($0.fieldsRevision) }
        count = new.count
        first = new.first.map(Shown.init)
    }

    /// What has come with changes that other servers have made.
    ///
    /// - Parameters:
    ///   - rows: as they were before.
    ///   - known: where they were, or further; of the same epoch.
    ///   - others: revisions whose rows are no news.
    init(of changes: ListChanges, to rows: KeyedList, since known: ListRevision, except others: Set<Revision> = []) {
        at = ListRevision(epoch: known.epoch, revision: max(known.revision, changes.revision))
        let new = changes.rows.filter { row in
            row.isNew(since: known.revision) && !others.contains(row.fieldsRevision) && rows[row.key] == nil
        }
        count = new.count
        first = new.min { $0.position < $1.position }.map(Shown.init)
    }

    /// What has come with all rows of a list, also where they are in another history since: those that were not there before.
    ///
    /// - Parameters:
    ///   - former: the rows as they were before.
    ///   - known: where they were, or further.
    ///   - others: revisions whose rows are no news.
    init(
        of rows: KeyedList, in epoch: Epoch, to former: KeyedList, since known: ListRevision,
        except others: Set<Revision> = []
    ) {
        let known = known.epoch == epoch ? known.revision : 0
        at = ListRevision(epoch: epoch, revision: max(known, rows.revision))
        let new = rows.rows.filter { row in
            row.isNew(since: known) && !others.contains(row.fieldsRevision) && former[row.key] == nil
        }
        count = new.count
        first = new.first.map(Shown.init)
    }
}

extension PlacedRow {
    /// Whether it may have come since a revision. A row that was changed and moved since looks like one.
    func isNew(since known: Revision) -> Bool { fieldsRevision > known && positionRevision > known }
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
