import KeyedLists

/// The entries of a feed: RSS 0.9x to 2.0, Atom, JSON Feed. Pure: bytes go in, entries come out.
///
/// ```
///   bytes ──▶ text, by mark, header or declaration ──▶ XMLFeed or JSONFeed ──▶ FeedEntry ──▶ Record
/// ```
///
/// Each entry becomes a JSON object with the names of the fields: `key title subtitle detail time link image`, and
/// `author`, `categories` and `enclosure` besides. What feeds get wrong is mended or left out, as one bad entry must not
/// hide the others: dates that are none, keys that come twice, entities of HTML, `&` alone, marks that XML forbids.
struct FeedDocument {
    /// Why it is no feed, and where: nil where that tells nothing.
    struct Fault: Error, Hashable {
        let place: TextPlace?
        let problem: String
        /// For who runs the server.
        var advice = ""
    }

    /// What is known of its encoding but for what it says itself.
    private let told: TextEncoding?
    private var bytes: [UInt8] = []

    init(_ told: TextEncoding? = nil) {
        self.told = told
    }

    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Hands over the entries, in the order of the feed.
    func read(each: (Record) throws -> Void) throws {
        let text = FeedText.text(of: bytes, told)
        var keys = FeedKeys()
        var number = 0
        let take = { (entry: FeedEntry) in
            guard let entry = keys.distinct(entry) else { return }
            number += 1
            try each(Record(place: .row(number, line: entry.line), content: .json(JSONRecord(checked: entry.json))))
        }
        if text.first(where: { !$0.isXMLBlank }) == UInt8(ascii: "{") {
            try JSONFeed.read(text, each: take)
        } else {
            var feed = XMLFeed(text)
            try feed.read(each: take)
        }
    }
}
