import KeyedLists
import ListProtocol

/// What a reader of a list is owed: in order while it keeps up, else the newest of each kind. Pure.
///
///     limit 3    settings  rows 4→5  state          the reader is slow, and rows 6 come:
///                settings  rows 4→6  state          one of each, rows before the state
struct UpdateQueue {
    /// What there is to tell.
    enum Entry {
        case settings(ListDescription)
        /// - Parameter touched: The keys that may differ from the rows before; nil: any.
        case rows(KeyedList, Epoch?, place: WindowPlace? = nil, touched: Set<Key>?)
        case progress(WatchedList.Progress)
        case state(ListState)
        case unread([Key])
        case refused(ErrorCode, String)
        case connection(ListClient.ConnectionState)

        /// In the order in which those of different kinds are told together.
        var kind: Int {
            switch self {
            case .settings: 0
            case .rows: 1
            case .progress: 2
            case .state: 3
            case .unread: 4
            case .refused: 5
            case .connection: 6
            }
        }
    }

    private let limit: Int
    /// The rows that the reader has been given.
    private var base = KeyedList()
    private var entries: [Entry] = []

    /// - Parameter limit: How many are held until they are told together.
    init(limit: Int) { self.limit = limit }

    /// How many keys are held beside the rows.
    var heldKeys: Int {
        entries.reduce(0) { count, entry in
            if case .rows(_, _, _, let touched?) = entry { count + touched.count } else { count }
        }
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        if entries.count > limit { conflate() }
    }

    mutating func next() -> WatchedList.Update? {
        guard !entries.isEmpty else { return nil }
        switch entries.removeFirst() {
        case .settings(let description): return .settings(description)
        case .rows(let rows, let epoch, let place, let touched):
            defer { base = rows }
            return .rows(WatchedList.Change(from: base, to: rows, in: epoch, place: place, touched: touched))
        case .progress(let progress): return .progress(progress)
        case .state(let state): return .state(state)
        case .unread(let keys): return .unread(keys)
        case .refused(let code, let message): return .refused(code, message)
        case .connection(let connection): return .connection(connection)
        }
    }

    private mutating func conflate() {
        var newest: [Int: Entry] = [:]
        for entry in entries {
            if case .rows(let rows, let epoch, let place, let touched) = entry,
                case .rows(_, _, _, let earlier)? = newest[entry.kind]
            {
                newest[entry.kind] = .rows(rows, epoch, place: place, touched: together(earlier, touched, rows))
            } else {
                newest[entry.kind] = entry
            }
        }
        entries = newest.values.sorted { $0.kind < $1.kind }
    }

    /// Keys that came and went again must not gather for ever.
    private func together(_ one: Set<Key>?, _ other: Set<Key>?, _ rows: KeyedList) -> Set<Key>? {
        guard let one, let other else { return nil }
        let all = one.union(other)
        return all.count > 64 + base.count + rows.count ? nil : all
    }
}
