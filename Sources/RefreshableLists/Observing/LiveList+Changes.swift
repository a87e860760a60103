public import KeyedLists
import WebSockets

/// Following the rows from code.
extension LiveList {
    /// What changes of the rows from now on, until the server stops.
    ///
    /// Nothing is lost and nothing piles up: whoever is slow is told once of all that happened meanwhile. Any number of tasks
    /// may follow, each over a sequence of its own.
    public nonisolated var changes: some AsyncSequence<ListChange, Never> & Sendable { ListChanges(of: self) }

    /// Somebody follows from here on.
    func beginFollowing(_ number: ObjectIdentifier) {
        do { try load() } catch { logUnreadable(error) }
        followers.places.updateValue(kept?.current, forKey: number)
    }

    /// Tells the next change to a follower, at once or once there is one.
    func next(of number: ObjectIdentifier, _ reader: CheckedContinuation<ListChange?, Never>) {
        guard !hasEnded, followers.places[number] != nil else { return reader.resume(returning: nil) }
        // One at a time: of two tasks that share a sequence, the first gets no more.
        followers.readers.updateValue(reader, forKey: number)?.resume(returning: nil)
        tellFollowers()
    }

    /// A follower is gone, or its task was cancelled.
    func stopFollowing(_ number: ObjectIdentifier) {
        followers.places.removeValue(forKey: number)
        followers.readers.removeValue(forKey: number)?.resume(returning: nil)
    }

    /// Tells those who wait of what is new to them; after the end, that nothing will be.
    func tellFollowers() {
        guard !followers.readers.isEmpty else { return }
        guard !hasEnded else {
            for reader in followers.readers.values { reader.resume(returning: nil) }
            return followers.readers = [:]
        }
        guard let kept else { return }
        for (number, reader) in followers.readers {
            guard let place = followers.places[number], place != kept.current else { continue }
            followers.places.updateValue(kept.current, forKey: number)
            followers.readers.removeValue(forKey: number)
            reader.resume(returning: ListChange(since: place, of: kept))
        }
    }
}

/// Those who follow a list's rows from code.
struct ChangeFollowers {
    /// Where in the list's history each one is; an inner nil: nowhere, for the list could not be read.
    var places: [ObjectIdentifier: ListRevision?] = [:]
    /// Those who wait for a change.
    var readers: [ObjectIdentifier: CheckedContinuation<ListChange?, Never>] = [:]
}

/// What changed of a list's rows since the last time.
public struct ListChange: Hashable, Sendable {
    /// Where it leads.
    public let revision: ListRevision
    /// The rows that came or whose fields changed, in the order of the list.
    public let set: [ListRow]
    /// The keys of rows that are elsewhere in the list now, and show what they did.
    public let moved: [Key]
    /// The keys of rows that left.
    public let removed: [Key]
    /// Whether `set` is all the rows there are, because what there was before is not known any more.
    public let isSnapshot: Bool

    fileprivate init(since place: ListRevision?, of list: PersistentList) {
        revision = list.current
        if let place, place.epoch == list.epoch, let patch = list.rows.patch(since: place.revision) {
            set = patch.set.compactMap { change in change.fields.map { ListRow(key: change.key, fields: $0) } }
            moved = patch.set.filter { $0.fields == nil }.map(\.key)
            removed = patch.remove
            isSnapshot = false
        } else {
            set = list.rows.rows.map(\.row)
            (moved, removed) = ([], [])
            isSnapshot = true
        }
    }
}

/// The changes of a list's rows, for one reader.
private final class ListChanges: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        let changes: ListChanges

        func next(isolation: isolated (any Actor)? = #isolation) async -> ListChange? { await changes.next() }
    }

    private let list: LiveList

    init(of list: LiveList) {
        self.list = list
        let number = ObjectIdentifier(self)
        list.post { $0.beginFollowing(number) }
    }

    deinit {
        let number = ObjectIdentifier(self)
        list.post { $0.stopFollowing(number) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    private func next() async -> ListChange? {
        let number = ObjectIdentifier(self)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { reader in list.post { $0.next(of: number, reader) } }
        } onCancel: {
            list.post { $0.stopFollowing(number) }
        }
    }
}
