import KeyedLists

/// JSON Feed 1.0 and 1.1: https://www.jsonfeed.org/version/1.1/
enum JSONFeed {
    private static let mostTags = 20

    /// Hands over the entries, in order.
    static func read(_ bytes: [UInt8], each: (FeedEntry) throws -> Void) throws {
        let document = try document(bytes)
        let items = JSONPointer(["items"])
        guard document[items] == .structure else {
            throw FeedDocument.Fault(place: nil, problem: "is JSON, but no JSON Feed: it has no items")
        }
        var counter = TextPlace.Counter()
        for range in document.elements(at: items) {
            let line = counter.place(at: range.lowerBound, in: bytes).line
            try each(entry(of: JSONRecord(checked: Array(bytes[range])), line: line))
        }
    }

    private static func document(_ bytes: [UInt8]) throws(FeedDocument.Fault) -> JSONRecord {
        do {
            return try JSONRecord(bytes)
        } catch {
            throw FeedDocument.Fault(
                place: TextPlace(at: error.offset, in: bytes), problem: "is no JSON: there should be \(error.expected)")
        }
    }

    private static func entry(of item: JSONRecord, line: Int) -> FeedEntry {
        let text = { (way: String...) -> String? in
            if case .text(let text) = item[JSONPointer(way)] { text } else { nil }
        }
        let plain = (text("summary") ?? text("content_text")).map(HTMLText.escaped)
        let author = text("authors", "0", "name") ?? text("author", "name") ?? text("author")
        return FeedEntry(
            line: line, id: text("id"), title: text("title").map(HTMLText.escaped),
            summary: plain ?? text("content_html"), author: author.map(HTMLText.escaped),
            categories: (0..<mostTags).compactMap { text("tags", "\($0)") }.map(HTMLText.escaped),
            date: text("date_published") ?? text("date_modified"), link: text("url") ?? text("external_url"),
            enclosure: text("attachments", "0", "url"),
            image: text("image") ?? text("banner_image") ?? text("content_html").flatMap(HTMLText.firstImage))
    }
}
