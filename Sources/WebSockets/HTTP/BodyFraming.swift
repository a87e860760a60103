/// How the body of a request is delimited, checked before any of it is read. Pure.
enum BodyFraming: Equatable {
    /// No body comes.
    case none
    /// So many bytes come.
    case length(Int)
    /// Answer this and close: what follows can't be told apart from the next request.
    case refused(HTTPResponse)

    init(headers: HTTPHeaders, limit: Int) {
        if headers["Transfer-Encoding"] != nil {
            self = .refused(.text(411, "Transfer-Encoding is not supported here. Send a Content-Length."))
        } else if let text = headers["Content-Length"] {
            self = Self.length(text, limit: limit)
        } else {
            // RFC 9112 §6.3: `curl -X POST` sends none.
            self = .none
        }
    }

    private static func length(_ text: String, limit: Int) -> BodyFraming {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text)
        else { return .refused(.text(400, "The Content-Length is not a number.")) }
        guard length <= limit else {
            return .refused(.text(413, "The body has \(length) bytes; at most \(limit) are taken."))
        }
        return .length(length)
    }
}
