/// Names elements as feeds usually do, whatever prefixes a feed declares: by where a prefix leads, or where none is
/// declared, by the prefix itself. Names of the root's vocabulary and of RSS go without.
///
/// ```
///   <feed xmlns="http://www.w3.org/2005/Atom"><title>          title
///   <rss xmlns:a10="http://www.w3.org/2005/Atom"><a10:link>    atom:link
///   <rss><media:thumbnail>                                     media:thumbnail
/// ```
struct XMLNames {
    /// Where prefixes lead: what `xmlns` says. An empty one is of names without.
    typealias Scope = [String: String]

    /// Without scheme, and what stands behind, in which feeds differ.
    private static let prefixes: [String: String] = [
        "www.w3.org/2005/atom": "atom", "purl.org/atom/ns": "atom",
        "purl.org/dc/elements/1.1": "dc", "purl.org/dc/terms": "dcterms",
        "purl.org/rss/1.0/modules/content": "content",
        "search.yahoo.com/mrss": "media", "video.search.yahoo.com/mrss": "media",
        "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
        "purl.org/rss/1.0": "", "purl.org/net/rss1.1": "", "my.netscape.com/rdf/simple/0.9": "",
        "backend.userland.com/rss2": "", "blogs.law.harvard.edu/tech/rss": "", "cyber.law.harvard.edu/rss/rss.html": "",
        "www.w3.org/1999/xhtml": "",
    ]

    private let home: String

    /// - Parameter root: the root's name as it is written, in its scope.
    init(root: String, _ scope: Scope) {
        home = Self.vocabulary(Self.parts(root).prefix, scope)
    }

    /// The name of an element that is written so.
    func name(_ written: String, _ scope: Scope) -> String {
        let (prefix, local) = Self.parts(written)
        let vocabulary = Self.vocabulary(prefix, scope)
        let usual = vocabulary == home ? "" : Self.prefixes[vocabulary] ?? prefix
        return usual.isEmpty ? local : "\(usual):\(local)"
    }

    /// The scope within an element of these attributes.
    static func scope(_ outer: Scope, _ attributes: [String: String]) -> Scope {
        var scope = outer
        for (name, value) in attributes {
            if name == "xmlns" { scope[""] = value }
            // One of no prefix is no other name for `xmlns`: which of the two counted would be chance.
            if name.hasPrefix("xmlns:"), name.utf8.count > 6 { scope[String(name.dropFirst(6))] = value }
        }
        return scope
    }

    /// The element's name without its prefix.
    static func local(_ written: String) -> String { parts(written).local }

    private static func parts(_ written: String) -> (prefix: String, local: String) {
        let parts = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[1].isEmpty ? (String(parts[0]), String(parts[1])) : ("", written)
    }

    private static func vocabulary(_ prefix: String, _ scope: Scope) -> String {
        guard let url = scope[prefix], !url.isEmpty else { return prefix }
        let parts = url.lowercased().split(separator: "://", maxSplits: 1)
        let name = String(parts.last ?? "").filter { !$0.isWhitespace }
        return String(name.reversed().drop { $0 == "/" || $0 == "#" }.reversed())
    }
}
