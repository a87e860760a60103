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
