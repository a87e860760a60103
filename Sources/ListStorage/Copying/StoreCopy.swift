import KeyedLists

/// Copies lists from one store to another, each in one transaction and into a new epoch. Whoever ends amid it can begin again:
/// what is there already is found to be the same.
package struct StoreCopy: Sendable {
    /// What came of a list.
    package enum Outcome: Hashable, Sendable {
        case copied(rows: Int)
        /// The same rows are there already; nothing was written.
        case present(rows: Int)
        /// As many other rows are there; nothing was written.
        case occupied(rows: Int)
    }

    private let source: any StoreReader
    private let target: any ListStore
    private let targetReader: (any StoreReader)?
    private let isReplacing: Bool

    /// - Parameters:
    ///   - target: a store that no server uses.
    ///   - targetReader: reads what is there, for as long as it takes; nil: the store gives it out.
    ///   - isReplacing: whether rows that are there are replaced by others.
    package init(
        from source: any StoreReader, to target: any ListStore, readBy targetReader: (any StoreReader)? = nil,
        isReplacing: Bool = false
    ) {
        self.source = source
        self.target = target
        self.targetReader = targetReader
        self.isReplacing = isReplacing
    }

    /// Copies a list. It is in memory meanwhile, and so is what is in its place.
    ///
    /// - Returns: what came of it; nil where the source has no such list.
    /// - Throws: `ListStoreError.damaged` where it is damaged in either store; nothing was written then.
    package func copy(_ list: String) async throws(ListStoreError) -> Outcome? {
        guard let found = try await source.read(list) else { return nil }
        if let kept = try await kept(list), kept.isUsed {
            // What is remembered of a list that was served since is newer there than here.
            let isPresent = kept.hasSameRows(as: found) && (!isReplacing || kept.hasSameFacts(as: found))
            if isPresent { return .present(rows: found.list.count) }
            guard isReplacing || kept.list.isEmpty else { return .occupied(rows: kept.list.count) }
        }
        _ = try target.replace(list, with: found)
        return .copied(rows: found.list.count)
    }

    private func kept(_ list: String) async throws(ListStoreError) -> StoredList? {
        guard let targetReader else { return try target.load(list) }
        return try await targetReader.read(list)
    }
}

extension StoredList {
    /// Whether anything was ever kept in it.
    fileprivate var isUsed: Bool {
        list.revision > 0 || facts != StoredFacts() || !actionRuns.isEmpty || !unread.isEmpty
    }

    fileprivate func hasSameRows(as other: StoredList) -> Bool { list.rows.elementsEqual(other.list.rows) }

    /// Whether it has all that was remembered of the other.
    fileprivate func hasSameFacts(as other: StoredList) -> Bool {
        facts == other.facts.beyond(facts) && Set(actionRuns) == Set(other.actionRuns)
            && Set(unread) == Set(other.unread)
    }
}
