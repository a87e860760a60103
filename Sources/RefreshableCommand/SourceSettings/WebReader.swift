import ListProtocol
import ListSources
import WebSources
import Yams

/// What a list asks of a web server.
struct WebSettings: Hashable {
    var request: WebRequest
    var layout: RowLayout
    var next: WebPaging?
    var limits = WebLimits()
}

/// Reads what a list asks of a web server, and how the answer becomes rows.
///
/// ```yaml
/// web: https://api.example.org/people
/// web:
///   url: https://api.example.org/people?per_page=50
///   headers: {Authorization: "Bearer ${TOKEN}"}      # from the environment
///   next: link                                       # or /paging/next, {cursor: /meta/next, as: after}, {page: page}
///   timeout: 20s
///   private: false                                   # no addresses of private networks
/// ```
struct WebReader {
    private static let keys = ["url", "method", "headers", "body", "next", "timeout", "size", "private"]
    /// RFC 9110 §9, but for those that are not for asking.
    private enum Method: String, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
    }

    /// `web`, or `feed`, which is the same with another format.
    private let word: String
    private let reader: MappingReader
    private let faults: FaultCollector

    init(_ word: String, of reader: MappingReader, _ faults: FaultCollector) {
        self.word = word
        self.reader = reader
        self.faults = faults
    }

    /// What is asked; nil, and faults, if there is no URL.
    func read() -> WebSettings? {
        guard let node = reader[word] else { return nil }
        var settings = node.mapping == nil ? plain(node) : members(of: node)
        let path = settings?.request.url.prefix { $0 != "?" && $0 != "#" } ?? ""
        let reading = LayoutReader(reader, faults)
        let layout = isFeed ? reading.readFeed() : reading.read(unset: RowFormat(fileName: String(path)) ?? .json)
        settings?.layout = layout
        if settings?.next != nil {
            for key in ["sort", "limit"] where reader[key] != nil {
                faults.add(
                    at: reader.key(key), key, expected: "it only without next, as pages follow each other",
                    came: "both")
            }
        }
        return settings
    }

    private func plain(_ node: Node) -> WebSettings? {
        url(node, word).map { WebSettings(request: WebRequest($0), layout: RowLayout(.json)) }
    }

    private func members(of node: Node) -> WebSettings? {
        guard let web = MappingReader(node, path: word, of: word, keys: Self.keys, faults) else { return nil }
        web.reportUnknownKeys()
        let method: Method = web.word("method") ?? .get
        let body = web.text("body")
        if body != nil, method == .get {
            faults.add(
                at: web.key("body"), "\(word).body", expected: "it only with method POST or PUT", came: "with GET")
        }
        let (headers, next, limits) = (headers(web), next(web), limits(web))
        guard let place = web["url"] else {
            if !web.hasUnknownKey(near: ["url"]) { web.fault("url", expected: urlRule, came: "none") }
            return nil
        }
        return url(place, "\(word).url").map {
            WebSettings(
                request: WebRequest($0, method: method.rawValue, headers: headers, body: body),
                layout: RowLayout(.json), next: next, limits: limits)
        }
    }

    private var isFeed: Bool { word == "feed" }

    private var urlRule: String {
        "an http or https URL" + (isFeed ? ", or the path of a file such as ./news.xml" : "")
    }

    private func url(_ node: Node, _ field: String) -> String? {
        let text = node.text ?? ""
        let scheme = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
        let host = scheme.map { text.dropFirst($0.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" } } ?? ""
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard host.isEmpty || host.contains("@") || !isPlain else { return text }
        if host.contains("@") {
            faults.add(
                at: node, field, expected: "a URL without a password, which belongs into the header Authorization",
                came: "one with a password")
        } else {
            faults.add(at: node, field, expected: urlRule, came: node.summary, hint: node.text.flatMap(hint))
        }
        return nil
    }

    /// What was perhaps meant by a URL that is none.
    private func hint(for text: String) -> SettingsFault.Hint? {
        guard text.contains("."), !text.contains(" "), !text.contains("://") else { return nil }
        let isFile = isFeed && !text.contains("/") && RowFormat(fileName: text) != nil
        return .word(isFile ? "./\(text)" : "https://\(text)")
    }
}

extension WebReader {
    private func headers(_ web: MappingReader) -> [String: String] {
        guard let node = web["headers"] else { return [:] }
        guard let mapping = node.mapping else {
            web.fault("headers", expected: "a mapping of names and values")
            return [:]
        }
        var headers: [String: String] = [:]
        for (key, value) in mapping {
            let name = key.text ?? ""
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte), let text = value.text,
                !text.contains(where: \.isNewline)
            else {
                faults.add(
                    at: key, "\(word).headers", expected: "the name of a header, and a text of one line",
                    came: "\(key.summary) and \(value.text == nil ? value.summary : "a text")")
                continue
            }
            headers[name] = text
        }
        return headers
    }

    /// RFC 9110 §5.6.2: a token.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private func next(_ web: MappingReader) -> WebPaging? {
        guard let node = web["next"] else { return nil }
        let expected =
            "link, a JSON pointer such as /paging/next, {cursor: POINTER, as: PARAMETER} or {page: PARAMETER}"
        guard node.mapping != nil else {
            if node.text == "link" { return .link }
            if let text = node.text, text.hasPrefix("/"), let pointer = JSONPointer(text) { return .url(pointer) }
            let hint = node.text.flatMap { Spelling.nearest(to: $0, in: ["link"]) }
            web.fault("next", expected: expected, hint: hint.map(SettingsFault.Hint.word))
            return nil
        }
        let keys = ["cursor", "as", "page"]
        guard let next = MappingReader(node, path: "\(word).next", of: "next", keys: keys, faults) else { return nil }
        next.reportUnknownKeys()
        switch (next["page"]?.text, next["cursor"]?.text.flatMap(JSONPointer.init), next["as"]?.text) {
        case (let page?, nil, nil) where !page.isEmpty: return .page(parameter: page)
        case (nil, let cursor?, let parameter?) where !parameter.isEmpty && !cursor.tokens.isEmpty:
            return .cursor(cursor, parameter: parameter)
        case (nil, .some, nil):
            if !next.hasUnknownKey {
                next.fault("as", expected: "the parameter of the query that takes the cursor", came: "none")
            }
            return nil
        default:
            if !next.hasUnknownKey { web.fault("next", expected: expected) }
            return nil
        }
    }

    private func limits(_ web: MappingReader) -> WebLimits {
        var limits = WebLimits()
        limits.timeout = web.duration("timeout", such: "5s or 20s") ?? limits.timeout
        limits.size = web.size("size") ?? limits.size
        limits.allowsPrivateAddresses = web.flag("private") ?? true
        return limits
    }
}
