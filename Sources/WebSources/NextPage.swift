public import ListSources

/// Finds where the rows are that follow those of an answer. Pure.
struct NextPage {
    private let paging: WebPaging?
    private let request: WebRequest

    init(_ paging: WebPaging?, request: WebRequest) {
        self.paging = paging
        self.request = request
    }

    /// The URL to ask; nil: no rows follow.
    ///
    /// - Throws: `SourceError` if what should be a URL is none, or is another server's: headers and secrets are not for it.
    func url(after answer: WebResponse, rows: Int) throws(SourceError) -> String? {
        switch paging {
        case nil: return nil
        case .link: return try next(answer.headers["link"].flatMap { LinkHeader.next(in: $0) }, answer)
        case .url(let pointer): return try next(text(at: pointer, of: answer), answer)
        case .cursor(let pointer, let parameter):
            guard let cursor = text(at: pointer, of: answer), !cursor.isEmpty else { return nil }
            return WebURL(request.url)?.setting(parameter, to: cursor)?.text
        case .page(let parameter):
            guard rows > 0 else { return nil }
            let page = answer.url.value(of: parameter).flatMap { Int($0) } ?? 1
            return answer.url.setting(parameter, to: "\(page + 1)")?.text
        }
    }

    private func next(_ text: String?, _ answer: WebResponse) throws(SourceError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard let url = WebURL(text, relativeTo: answer.url), url.hasOrigin(of: answer.url) else {
            throw SourceError(
                message: "What should be the URL of the next page is none of \(answer.url.host).",
                detail: "It is \(text.prefix(200)).")
        }
        return url.text
    }

    private func text(at pointer: JSONPointer, of answer: WebResponse) -> String? {
        do {
            if case .text(let text) = try JSONRecord(answer.body)[pointer] { return text }
        } catch {
            // Rows that are no JSON have nothing at a pointer.
        }
        return nil
    }
}

/// How a web server is asked for the rows that follow.
public enum WebPaging: Hashable, Sendable {
    /// At the URL of the header `Link` whose `rel` is `next`: RFC 8288.
    case link
    /// At the URL that stands there in the answer; none, or null: there are no more.
    case url(JSONPointer)
    /// With what stands there in the answer, as this parameter of the query.
    case cursor(JSONPointer, parameter: String)
    /// With the number of the page, as this parameter of the query: one more than in the URL, where 1 is meant if it has
    /// none. A page without rows is the last.
    case page(parameter: String)
}

/// Reads the header `Link`: RFC 8288 §3.
///
///     <https://api.example.org/people?page=2>; rel="next", <…>; rel="last"
enum LinkHeader {
    /// The target of the first link whose relations have `next`.
    static func next(in header: String) -> String? {
        var rest = header[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let target = rest[rest.index(after: start)..<end]
            let parameters = Self.parameters(rest[rest.index(after: end)...])
            if relations(in: parameters.text).contains("next") { return String(target) }
            rest = parameters.rest
        }
        return nil
    }

    /// What stands between this target and the comma before the next, which may not be one within quotes.
    private static func parameters(_ text: Substring) -> (text: Substring, rest: Substring) {
        var isQuoted = false
        let end = text.firstIndex { mark in
            if mark == "\"" { isQuoted.toggle() }
            return mark == "," && !isQuoted
        }
        guard let end else { return (text, "") }
        return (text[..<end], text[text.index(after: end)...])
    }

    private static func relations(in parameters: Substring) -> [String] {
        for parameter in parameters.split(separator: ";") {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, trimmed(parts[0]) == "rel" else { continue }
            return trimmed(parts[1]).split(separator: " ").map { trimmed($0) }
        }
        return []
    }

    private static func trimmed(_ text: Substring) -> String {
        let isNoise: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\"" }
        let start = text.drop(while: isNoise)
        return start.lastIndex { !isNoise($0) }.map { start[...$0].lowercased() } ?? ""
    }

    private static func trimmed(_ text: String) -> String { trimmed(text[...]) }
}
