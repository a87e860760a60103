import KeyedLists

/// The folds of one list that were made since its newest commit: all who come back from the same revision share one
/// encoding.
///
/// At most four are held, the newest.
struct FoldShelf {
    private static let capacity = 4

    private var batches: [FrameBatch] = []

    /// What leads from `base` to `revision`, if it is here.
    func batch(from base: Revision, to revision: Revision) -> FrameBatch? {
        batches.first { $0.from == base && $0.revision == revision }
    }

    /// Holds a fold to the newest revision; those to earlier ones serve nobody any more.
    mutating func hold(_ batch: FrameBatch) {
        batches.removeAll { $0.revision != batch.revision }
        if batches.count == Self.capacity { batches.removeFirst() }
        batches.append(batch)
    }
}
