/// Reads the elements of a document, one after another, and mends how they are nested.
///
/// An end that nothing began is passed over; an element that its parent's end finds open ends with it. What is not
/// mended is a document that ends too early: half a feed would look as if its other entries were gone.
struct XMLReader {
    enum Event {
        case start(XMLTree)
        case end
        case text(String)
    }

    private struct Open {
        let written: String
        let scope: XMLNames.Scope
        let start: Int
    }

    /// Elements within as many others are no elements, but their text is text.
    private static let mostLevels = 256
    /// The most elements of one tree; what follows is left out.
    private static let mostElements = 10_000
    /// HTML amid XML, whose tags never end.
    private static let void: Set<String> = ["br", "hr", "img", "wbr"]

    private var scanner: XMLScanner
    private var names: XMLNames?
    private var open: [Open] = []
    /// How many of them have ended without being reported.
    private var ending = 0

    init(_ bytes: [UInt8]) {
        scanner = XMLScanner(bytes)
    }

    /// What comes next; nil after the root. What surrounds that is passed over.
    mutating func next() throws(FeedDocument.Fault) -> Event? {
        if ending > 0 { return end() }
        while names == nil || !open.isEmpty {
            switch scanner.next() {
            case .start(let name, let attributes, let isEmpty):
                if let event = begin(name, attributes, isEmpty: isEmpty) { return event }
            case .end(let name):
                guard let index = open.lastIndex(where: { $0.written == name }) else { continue }
                ending = open.count - index
                return end()
            case .text(let text): if !open.isEmpty { return .text(text) }
            case .cut: throw fault(at: scanner.start, "a tag, a comment or a CDATA section begins")
            case nil: return try atEnd()
            }
        }
        return nil
    }

    /// The whole of an element that has just begun.
    mutating func tree(_ root: XMLTree) throws(FeedDocument.Fault) -> XMLTree {
        var trees = [root]
        var count = 0
        while let event = try next() {
            switch event {
            case .start(let child):
                trees.append(child)
                count += 1
            case .text(let text): if count < Self.mostElements { trees[trees.count - 1].append(text) }
            case .end:
                let tree = trees.removeLast()
                guard !trees.isEmpty else { return tree }
                if count < Self.mostElements { trees[trees.count - 1].append(tree) }
            }
        }
        return root
    }

    /// Passes over the rest of an element that has just begun.
    mutating func skip() throws(FeedDocument.Fault) {
        var depth = 1
        while depth > 0, let event = try next() {
            switch event {
            case .start: depth += 1
            case .end: depth -= 1
            case .text: break
            }
        }
    }

    /// On which line the last tag is, from 1.
    var line: Int { mutating get { counter.place(at: scanner.start, in: scanner.bytes).line } }

    private var counter = TextPosition.Counter()

    private mutating func begin(_ written: String, _ attributes: [String: String], isEmpty: Bool) -> Event? {
        guard open.count < Self.mostLevels else { return nil }
        let scope = XMLNames.scope(open.last?.scope ?? [:], attributes)
        let names = names ?? XMLNames(root: written, scope)
        self.names = names
        open.append(Open(written: written, scope: scope, start: scanner.start))
        let name = names.name(written, scope)
        if isEmpty || Self.void.contains(name) { ending = 1 }
        return .start(XMLTree(name, attributes))
    }

    private mutating func end() -> Event {
        ending -= 1
        open.removeLast()
        return .end
    }

    private func atEnd() throws(FeedDocument.Fault) -> Event? {
        guard let last = open.last else { return nil }
        throw fault(at: last.start, "<\(last.written)> begins")
    }

    private func fault(at offset: Int, _ problem: String) -> FeedDocument.Fault {
        FeedDocument.Fault(
            place: TextPosition(at: offset, in: scanner.bytes),
            problem: "\(problem) that nothing closes; perhaps the feed is not whole")
    }
}

/// Names elements as feeds usually do, whatever prefixes a feed declares: by where a prefix leads, or where none is
/// declared, by the prefix itself. Names of the root's vocabulary and of RSS go without.
///
/// ```
///   <feed xmlns="http://www.w3.org/2005/Atom"><title>          title
///   <rss xmlns:a10="http://www.w3.org/2005/Atom"><a10:link>    atom:link
///   <rss><media:thumbnail>                                     media:thumbnail
/// ```
struct XMLNames {
    /// Namespaces by prefix, as `xmlns` declares them. The empty prefix is the default namespace.
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
