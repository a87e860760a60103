import KeyedLists

/// One entry of a feed, whatever its format.
struct FeedEntry {
    /// The most letters of a title, of a summary, and of what is read for each: a page shows two lines.
    private enum Length {
        static let title = 120
        static let summary = 300
        static let read = 8000
    }

    /// In bytes: RFC 9110 §4.1 asks for 8000 at least; a row of ours has 16 KiB, and two URLs.
    private static let longestURL = 2048
    private static let longestKey = 256

    /// Where it begins in the feed.
    var line = 1
    var id: String?
    /// As HTML, as all texts here.
    var title: String?
    var summary: String?
    var author: String?
    var categories: [String] = []
    var date: String?
    var link: String?
    /// The base of relative URLs, if the feed declares one.
    var base: String?
    var enclosure: String?
    var image: String?

    /// What the feed calls it, else its URL; nil where it has neither. One that is too long is cut, and told apart by a
    /// hash of the whole.
    var key: String? {
        guard let name = [id, link].lazy.compactMap({ $0 }).map(Self.trimmed).first(where: { !$0.isEmpty }) else {
            return nil
        }
        guard name.utf8.count > Self.longestKey else { return name }
        return
            "\(String(decoding: name.utf8.prefix(200), as: UTF8.self))#\(String(DerivedKeys.hash(name.utf8), radix: 36))"
    }

    /// Whether there is nothing in it to show.
    var isEmpty: Bool { [id, title, summary, link].allSatisfy { Self.trimmed($0 ?? "").isEmpty } }

    /// As the object that fields are mapped from.
    var json: [UInt8] {
        let text = Self.plain(summary, Length.summary)
        let title = Self.plain(title, Length.title)
        var members: [Key: JSONValue] = [:]
        members["key"] = Self.value(key)
        members["title"] = Self.value(title) ?? Self.value(Self.plain(summary, Length.title)) ?? Self.value(link) ?? "…"
        members["subtitle"] = title == nil ? nil : Self.value(text)
        members["author"] = Self.value(Self.plain(author, Length.title))
        members["detail"] = members["author"]
        members["categories"] = Self.value(Self.plain(categories.joined(separator: ", "), Length.summary))
        members["time"] = date.flatMap(FeedDate.milliseconds).map(Self.time)
        members["link"] = url(link)
        members["enclosure"] = url(enclosure)
        members["image"] = url(image ?? summary.flatMap { HTMLText.firstImage(String($0.prefix(Length.read))) })
        return JSONValue.object(members).canonical
    }

    static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }

    private func url(_ text: String?) -> JSONValue? {
        guard let text = text.map(Self.trimmed), text.utf8.count <= Self.longestURL else { return nil }
        guard let base = base.flatMap({ WebURL($0) }) else { return Self.value(text) }
        return Self.value(WebURL(text, relativeTo: base)?.text ?? text)
    }

    private static func value(_ text: String?) -> JSONValue? { text.flatMap { $0.isEmpty ? nil : .string($0) } }

    private static func plain(_ html: String?, _ length: Int) -> String? {
        guard let html else { return nil }
        let text = HTMLText.plain(String(html.prefix(Length.read)))
        return text.isEmpty ? nil : cut(text, length)
    }

    /// At a blank, if there is one near the end.
    private static func cut(_ text: String, _ length: Int) -> String {
        guard text.count > length else { return text }
        let start = text.prefix(length)
        let end = start.lastIndex(of: " ").map { start[..<$0] } ?? start
        return "\(end.count > length / 2 ? end : start)…"
    }

    /// In seconds where as milliseconds it would be read as seconds: before March 1973.
    private static func time(_ milliseconds: Int64) -> JSONValue {
        .number(milliseconds.magnitude < 100_000_000_000 ? Double(milliseconds) / 1000 : Double(milliseconds))
    }
}

/// Finds the picture of an entry, where feeds put one: Media RSS, enclosures, podcasts.
enum FeedImage {
    private static let endings = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"]

    static func url(of entry: XMLTree) -> String? {
        let group = entry.first("media:group") ?? entry
        let contents =
            group.all("media:content") + (entry.first("media:group") == nil ? [] : entry.all("media:content"))
        let thumbnails = ([group, entry] + contents).lazy.compactMap { $0.first("media:thumbnail") }
        let links = entry.all("link").filter { $0.attributes["rel"] == "enclosure" }
        let picture = thumbnails.first ?? (contents + entry.all("enclosure") + links).first(where: isImage)
        let url = picture.flatMap { $0.attributes["url"] ?? $0.attributes["href"] }
        return url ?? entry.first("itunes:image")?.attributes["href"] ?? entry.first("image")?.text("url")
    }

    static func isImage(_ element: XMLTree) -> Bool {
        if let type = element.attributes["type"] { return type.lowercased().hasPrefix("image/") }
        if let medium = element.attributes["medium"] { return medium == "image" }
        let url = (element.attributes["url"] ?? element.attributes["href"] ?? "").lowercased()
        return endings.contains { url.prefix { $0 != "?" }.hasSuffix($0) }
    }
}

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
