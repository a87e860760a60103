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
