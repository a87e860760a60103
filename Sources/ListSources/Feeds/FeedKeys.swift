import KeyedLists

/// Keeps the keys of a feed's entries apart.
///
/// An entry that comes twice is one: feeds that are put together from others have such. Where a feed calls two entries
/// the same that lead to different pages, the second goes by its page.
struct FeedKeys {
    private var links: [Key: String?] = [:]

    /// The entry, with a key that no other had; nil if it came before, or is empty.
    mutating func distinct(_ entry: FeedEntry) -> FeedEntry? {
        guard !entry.isEmpty else { return nil }
        guard let key = entry.key else { return entry }
        guard let link = links[Key(key)] else {
            links[Key(key)] = .some(entry.link)
            return entry
        }
        guard entry.link != nil, entry.link != link else { return nil }
        var other = entry
        other.id = entry.link
        guard let key = other.key, links[Key(key)] == nil else { return nil }
        links[Key(key)] = .some(other.link)
        return other
    }
}
