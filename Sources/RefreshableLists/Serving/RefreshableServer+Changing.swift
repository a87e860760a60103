import ListProtocol
import Locking
import WebSockets

extension RefreshableServer {
    /// Serves other lists from now on, without a connection that is lost. One change after another, while it runs.
    ///
    /// A list that stays keeps its rows, its history and those who watch it. Who watches one that goes is told.
    ///
    /// - Throws: `RefreshableServerError`, and nothing has changed, where the lists can't be served as they are described.
    package func change(to change: ListsChange) async throws(RefreshableServerError) {
        try RefreshableServerError.check(change.lists)
        let pushed = pushedLists
        defer { if !Set(pushedLists).isSubset(of: pushed) { tellWhoMayPush() } }
        let names = Set(change.lists.map(\.name))
        for list in lists.all where !names.contains(list.name) {
            // Out of the directory first, so that nobody comes after those who are told.
            lists.replace(with: lists.all.filter { $0 !== list })
            await list.retire()
        }
        lists.replace(with: change.lists.map { lists[$0.name] ?? list($0) })
        for list in lists.all { list.post { $0.readIfChosen() } }
        for description in change.lists where change.changed.contains(description.name) {
            let hasOtherRows = change.withOtherRows.contains(description.name)
            await lists[description.name]?.become(
                configuration.data.served(description), hasOtherRows: hasOtherRows)
        }
        notifier?.listsChanged()
    }

    private func list(_ description: RefreshableList) -> LiveList {
        let list = LiveList(
            configuration.data.served(description), store: store, executor: ListExecutor(on: pool), limits: Limits(),
            memory: memory,
            logger: logger)
        metrics.withLock { $0 }?.follow(list)
        notifier?.follow(list)
        return list
    }
}

/// A change of a server's lists while it serves: which stay, which come, which go.
package struct ListsChange: Sendable {
    /// All that are served from now on, in order, as they are described now.
    package var lists: [RefreshableList]
    /// Names of those that are described otherwise than before.
    package var changed: Set<String>
    /// Of these, those whose rows come from elsewhere or are made otherwise.
    package var withOtherRows: Set<String>

    package init(lists: [RefreshableList], changed: Set<String>, withOtherRows: Set<String>) {
        self.lists = lists
        self.changed = changed
        self.withOtherRows = withOtherRows
    }
}
