/// How the body of a request is delimited (RFC 9112 §6.3). Pure.
enum BodyFraming: Equatable {
    /// So many bytes come, perhaps none: `curl -X POST` sends no length with none.
    case length(Int)
    /// Answer this and close: what follows can't be told apart from the next request.
    case refused(HTTPResponse)

    init(headers: HTTPHeaders) {
        if headers["Transfer-Encoding"] != nil {
            self = .refused(.text(411, "Transfer-Encoding is not supported here. Send a Content-Length."))
        } else if let text = headers["Content-Length"] {
            self = Self.length(text)
        } else {
            self = .length(0)
        }
    }

    private static func length(_ text: String) -> BodyFraming {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(text)
        else { return .refused(.text(400, "The Content-Length is not a number.")) }
        return .length(length)
    }
}
