import KeyedLists
import ListProtocol
import ListStorage
import WebSockets

/// A list's rows as programs read them over HTTP: one body for all who ask until something in it changes, so that those who
/// take it slowly hold it in memory once.
struct RowsDocument {
    /// What is in it beside the name. A revision of an epoch has always the same rows.
    private struct Contents: Hashable {
        var title: String
        var epoch: Epoch
        var revision: Revision
        var updatedAt: Int64?
        var staleSince: Int64?
    }

    private var made: (contents: Contents, response: HTTPResponse)?
    private var sharedBuffers: SharedBufferLimit

    /// - Parameter share: bytes that all lists may lend.
    init(of share: MemoryShare) { sharedBuffers = SharedBufferLimit(of: share) }

    /// The answer with the document of a list as it is. The same array, not only an equal one, until it is another.
    mutating func response(of list: PersistentList, titled title: String) -> HTTPResponse {
        let contents = Contents(
            title: title, epoch: list.epoch, revision: list.rows.revision, updatedAt: list.facts.updatedAt,
            staleSince: list.facts.staleSince)
        if let made, made.contents == contents { return made.response }
        var response = HTTPResponse.json(200, Self.encode(contents, list))
        response.revocation = sharedBuffers.lend(response.body.count)
        made = (contents, response)
        return response
    }

    /// The rows are others: nobody is sent this document any more, and those who are being sent it may go on.
    mutating func forget() { made = nil }

    private static func encode(_ contents: Contents, _ list: PersistentList) -> [UInt8] {
        var json = JSONWriter(reserving: list.rows.count * 128)
        json.beginObject()
        json.member("name", list.name)
        json.member("title", contents.title)
        json.member("epoch", contents.epoch.description)
        json.member("revision", contents.revision)
        json.member("count", list.rows.count)
        if let updatedAt = contents.updatedAt { json.member("updatedAt", Int(updatedAt)) }
        if let staleSince = contents.staleSince { json.member("staleSince", Int(staleSince)) }
        json.name("rows")
        json.beginArray()
        for row in list.rows.rows {
            json.beginObject()
            json.member("key", row.key)
            json.name("fields")
            json.raw(row.fields.bytes)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
