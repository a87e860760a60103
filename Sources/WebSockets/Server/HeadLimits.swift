/// How long the parts of a request's head may be; told apart from what libwebsockets itself has room for, which ends in a
/// connection that is closed without a word. Pure.
struct HeadLimits: Hashable {
    /// Bytes of path and query together.
    var address: Int
    /// Bytes of all fields together, names included.
    var fields: Int

    /// Fields that a head may have, so that looking each up stays cheap; Apache's `LimitRequestFields` is 100, too.
    static let fieldCount = 100

    /// Bytes that libwebsockets has for a whole head.
    static let room = 32 * 1024

    /// Bytes that libwebsockets keeps of one field, of the path and of each part of the query; the rest it skips. One more
    /// than we take, so that too much shows.
    var kept: Int { max(address, fields) + 1 }

    /// The word for a head that is too long.
    func refusal(of head: RequestHead) -> HTTPResponse? {
        if head.path.utf8.count + head.query.utf8.count > address {
            return .text(414, "The address is longer than \(address) bytes. Shorten it.")
        }
        let length = head.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard length > fields else { return nil }
        return .text(431, "The headers are longer than \(fields) bytes. Send less of them, such as cookies.")
    }
}
