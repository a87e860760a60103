/// Entries of Atom: RFC 4287, and of its draft 0.3.
enum AtomEntry {
    /// - Parameter base: where the feed says that its URLs begin.
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
