/// RSS 2.0 (and 0.9x), RSS 1.0, which is RDF, and Atom (1.0 and 0.3).
struct XMLFeed {
    private var reader: XMLReader

    init(_ bytes: [UInt8]) {
        reader = XMLReader(bytes)
    }

    /// Hands over the entries, in order.
    mutating func read(each: (FeedEntry) throws -> Void) throws {
        guard case .start(let root) = try reader.next() else {
            throw FeedDocument.Fault(place: nil, problem: "is no feed: there is neither XML nor JSON in it")
        }
        switch root.name {
        case "rss", "rdf", "channel": try read("item", within: ["channel", "items"], RSSEntry.entry, each)
        case "feed":
            let base = root.attributes["xml:base"]
            try read("entry", within: [], { AtomEntry.entry($0, base: base) }, each)
        case "html": throw FeedDocument.Fault(place: nil, problem: "is a page of HTML", advice: try advice())
        default: throw FeedDocument.Fault(place: nil, problem: "is XML, but no feed: it begins with <\(root.name)>")
        }
    }

    private mutating func read(
        _ name: String, within containers: Set<String>, _ entry: (XMLTree) -> FeedEntry,
        _ each: (FeedEntry) throws -> Void
    ) throws {
        while let event = try reader.next() {
            guard case .start(let element) = event else { continue }
            if element.name == name {
                let line = reader.line
                var found = entry(try reader.tree(element))
                found.line = line
                try each(found)
            } else if !containers.contains(element.name) {
                try reader.skip()
            }
        }
    }

    /// The feeds that a page names: https://www.rssboard.org/rss-autodiscovery
    private mutating func advice() throws -> String {
        var urls: [String] = []
        while urls.count < 5 {
            // Pages are no XML: where they end matters to nobody.
            let event: XMLReader.Event?
            do { event = try reader.next() } catch { event = nil }
            guard let event else { break }
            guard case .start(let element) = event, element.name == "link",
                element.attributes["rel"]?.lowercased() == "alternate", let url = element.attributes["href"],
                let type = element.attributes["type"], ["rss", "atom", "feed+json"].contains(where: type.contains)
            else { continue }
            urls.append(url)
        }
        return urls.isEmpty ? "Its feed has a URL of its own." : "It names these feeds: \(urls.joined(separator: ", "))"
    }
}

/// Entries of RSS: https://www.rssboard.org/rss-specification, and what other vocabularies add to it.
enum RSSEntry {
    static func entry(_ item: XMLTree) -> FeedEntry {
        let guid = item.text("guid")
        let enclosure = item.first("enclosure")
        let sound = enclosure.flatMap { FeedImage.isImage($0) ? nil : $0.attributes["url"] }
        return FeedEntry(
            id: guid ?? item.attributes["rdf:about"], title: item.html("title", "dc:title", "media:title"),
            summary: item.html("description", "content:encoded", "itunes:summary", "media:description", "body"),
            author: item.html("dc:creator", "itunes:author") ?? item.text("author").map(name),
            categories: item.all("category").map(\.text),
            date: item.text("pubdate", "dc:date", "dcterms:created", "atom:published", "atom:updated", "date"),
            link: item.text("link") ?? link(item) ?? guid.flatMap { isLink(item, $0) ? $0 : nil } ?? sound,
            base: item.attributes["xml:base"], enclosure: enclosure?.attributes["url"],
            image: FeedImage.url(of: item) ?? item.html("content:encoded").flatMap(HTMLText.firstImage))
    }

    private static func link(_ item: XMLTree) -> String? {
        let links = (item.all("atom:link") + item.all("link")).filter { $0.attributes["href"] != nil }
        return (links.first { $0.attributes["rel"] ?? "alternate" == "alternate" } ?? links.first)?.attributes["href"]
    }

    private static func isLink(_ item: XMLTree, _ guid: String) -> Bool {
        let says = item.first("guid")?.attributes["ispermalink"]?.lowercased() != "false"
        return says && FeedEntry.trimmed(guid).hasPrefix("http")
    }

    /// RSS 2.0 has a mail address for an author: `ada@example.org (Ada Lovelace)`.
    private static func name(_ author: String) -> String {
        let text = FeedEntry.trimmed(author)
        guard text.hasSuffix(")"), let start = text.firstIndex(of: "(") else { return text }
        return String(text[text.index(after: start)...].dropLast())
    }
}

/// Entries of Atom: RFC 4287, and of its draft 0.3.
enum AtomEntry {
    /// - Parameter base: the base URL that the feed declares.
    static func entry(_ entry: XMLTree, base: String?) -> FeedEntry {
        let content = entry.first("content").map(html)
        return FeedEntry(
            id: entry.text("id"), title: entry.first("title").map(html),
            summary: entry.first("summary").map(html) ?? content
                ?? (entry.first("media:group") ?? entry).html("media:description"),
            author: entry.first("author")?.html("name") ?? entry.html("dc:creator"),
            categories: entry.all("category").compactMap { $0.attributes["label"] ?? $0.attributes["term"] },
            date: entry.text("published", "issued", "updated", "modified", "created", "dc:date"), link: link(entry),
            base: entry.attributes["xml:base"] ?? base,
            enclosure: entry.all("link").first { $0.attributes["rel"] == "enclosure" }?.attributes["href"],
            image: FeedImage.url(of: entry) ?? content.flatMap(HTMLText.firstImage))
    }

    private static func link(_ entry: XMLTree) -> String? {
        let links = entry.all("link").filter { !($0.attributes["href"] ?? "").isEmpty }
        let alternates = links.filter { $0.attributes["rel"] ?? "alternate" == "alternate" }
        let page = alternates.first { ["text/html", nil].contains($0.attributes["type"]) }
        let other = links.first { $0.attributes["rel"] == "enclosure" } ?? links.first
        return (page ?? alternates.first ?? other)?.attributes["href"] ?? entry.text("link")
    }

    /// §3.1: `text` is meant letter by letter, `html` is in the text, `xhtml` in the elements.
    private static func html(_ construct: XMLTree) -> String {
        switch construct.attributes["type"]?.lowercased() ?? "text" {
        case "html", "text/html": construct.text
        case "xhtml", "application/xhtml+xml": construct.markup
        default: HTMLText.escaped(construct.text)
        }
    }
}
