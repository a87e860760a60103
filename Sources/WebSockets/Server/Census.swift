import Synchronization

/// What the loops of one server count together.
final class Census: Sendable {
    private let connections = Atomic<Int>(0)
    private let lastID = Atomic<UInt64>(0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Connections now.
    var count: Int { connections.load(ordering: .relaxed) }

    /// Counts one more, if there is room.
    func entered() -> Bool {
        guard connections.add(1, ordering: .relaxed).newValue <= limit else {
            left()
            return false
        }
        return true
    }

    func left() { connections.subtract(1, ordering: .relaxed) }

    /// A number never given before.
    func nextID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }
}
