/// Finds where the rows are that follow those of an answer. Pure.
struct WebNext {
    private let paging: WebPaging?
    private let request: WebRequest

    init(_ paging: WebPaging?, request: WebRequest) {
        self.paging = paging
        self.request = request
    }

    /// The URL to ask; nil: no rows follow.
    ///
    /// - Throws: `SourceError` if what should be a URL is none, or is another server's: headers and secrets are not for it.
    func url(after answer: WebAnswer, rows: Int) throws(SourceError) -> String? {
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

    private func next(_ text: String?, _ answer: WebAnswer) throws(SourceError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard let url = WebURL(text, relativeTo: answer.url), url.hasOrigin(of: answer.url) else {
            throw SourceError(
                message: "What should be the URL of the next page is none of \(answer.url.host).",
                detail: "It is \(text.prefix(200)).")
        }
        return url.text
    }

    private func text(at pointer: JSONPointer, of answer: WebAnswer) -> String? {
        do {
            if case .text(let text) = try JSONRecord(answer.body)[pointer] { return text }
        } catch {
            // Rows that are no JSON have nothing at a pointer.
        }
        return nil
    }
}
