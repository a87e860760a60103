import RefreshableLists

/// What a settings file says otherwise than before, by the names of lists.
struct SettingsChange: Hashable {
    var added: [String] = []
    var changed: [String] = []
    var removed: [String] = []
    /// Of those changed, whose rows come from elsewhere or are made otherwise.
    var withOtherRows: [String] = []
    /// Whether the lists that stay are in another order.
    var isReordered = false

    init(from old: Settings, to new: Settings) {
        let before = Dictionary(old.lists.map { ($0.name, $0) }) { first, _ in first }
        let names = Set(new.lists.map(\.name))
        removed = old.lists.map(\.name).filter { !names.contains($0) }
        for list in new.lists {
            guard let known = before[list.name] else {
                added.append(list.name)
                continue
            }
            if known != list { changed.append(list.name) }
            if known.source != list.source || known.mode != list.mode { withOtherRows.append(list.name) }
        }
        isReordered = new.lists.map(\.name).filter { before[$0] != nil } != old.lists.map(\.name).filter(names.contains)
    }

    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty && !isReordered }

    /// As a log says it: `added notes; changed disks and fruit; removed hours`.
    var summary: String {
        let parts = [("added", added), ("changed", changed), ("removed", removed)].filter { !$0.1.isEmpty }
            .map { "\($0.0) \($0.1.andList)" }
        return isEmpty
            ? "nothing has changed" : parts.isEmpty ? "the lists are in another order" : parts.joined(separator: "; ")
    }
}
