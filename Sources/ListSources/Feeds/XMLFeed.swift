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
