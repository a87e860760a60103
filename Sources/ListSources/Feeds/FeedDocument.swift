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
    /// Why it is not a feed, and where; nil if there is nothing to add.
    struct Fault: Error, Hashable {
        let place: TextPosition?
        let problem: String
        /// For who runs the server.
        var advice = ""
    }

    /// What is known of its encoding from elsewhere than the document.
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

/// Makes UTF-8 of a feed: RFC 7303 §3. A mark counts first, then what was told (by settings, or the header
/// `Content-Type`), then what the XML declares.
enum FeedText {
    /// How far declarations are looked for, in bytes.
    private static let beginning = 256

    static func text(of bytes: [UInt8], _ told: TextEncoding?) -> [UInt8] {
        let encoding = told ?? declared(bytes) ?? .utf8
        let text = TextDecoder.text(of: bytes, encoding)
        return text.isUTF8 ? text : repaired(text)
    }

    /// XML 1.0 §F.1: the letters of the declaration show how they are written, and it then says the rest.
    private static func declared(_ bytes: [UInt8]) -> TextEncoding? {
        if bytes.starts(with: [0x3C, 0x00]) { return .utf16 }
        if bytes.starts(with: [0x00, 0x3C]) { return .utf16BigEndian }
        var scanner = ByteScanner(Array(bytes.prefix(beginning)))
        guard scanner.skip(to: "<?xml"), scanner.skip(past: "encoding") else { return nil }
        _ = scanner.take { $0.isXMLBlank || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "'") || $0 == 0x22 }
        let label = String(decoding: scanner.take(while: \.isXMLName), as: UTF8.self)
        // A declaration that can be read in bytes of its own is not UTF-16, whatever it says.
        return TextEncoding(label: label).flatMap { $0 == .utf16 || $0 == .utf16BigEndian ? .utf8 : $0 }
    }

    /// What calls itself UTF-8 and is not: with letters of UTF-8 in it, it is so but for some that were cut; without, it
    /// is windows-1252.
    private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let hasLetters = text.unicodeScalars.contains { !$0.isASCII && $0 != "\u{FFFD}" }
        return hasLetters ? Array(text.utf8) : Windows1252.utf8(of: bytes)
    }
}

extension [UInt8] {
    fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}

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
        var counter = TextPosition.Counter()
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
                place: TextPosition(at: error.offset, in: bytes),
                problem: "is not JSON: there should be \(error.expected)"
            )
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
