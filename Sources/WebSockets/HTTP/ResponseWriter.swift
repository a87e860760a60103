/// An answer on its way to a peer: handed over piece by piece, as the peer takes it. Pure.
///
/// ```
/// ┌──────┬───────────────────┬────────────┬────────────┬─────┐
/// │ head │ the body's first  │ next 16 KiB │ next 16 KiB │  …  │
/// └ one piece: a copy ───────┴ slices of the response's own bytes
/// ```
/// What is not sent yet is never copied: however many take one body slowly, it is in memory once.
struct ResponseWriter {
    /// Bytes of a piece. libwebsockets copies what the peer did not take of one; TLS has no longer records (RFC 8446 §5.1).
    static let pieceSize = 16 * 1024

    /// Until it is sent.
    private var beginning: [UInt8]?
    private let body: [UInt8]
    let revocation: Revocation?
    private let isShared: Bool
    /// Bytes of the body that were handed over, or are in the beginning.
    private var position: Int

    /// - Parameter method: of the request.
    init(_ response: HTTPResponse, to method: String, closing: Bool) {
        body = response.hasBody(to: method) ? response.body : []
        revocation = response.revocation
        isShared = response.isShared || response.revocation != nil
        let head = response.head(closing: closing)
        position = min(body.count, max(0, Self.pieceSize - head.count))
        beginning = head + body[..<position]
    }

    /// About as many bytes as are kept for a peer that does not take them: a piece, and the body if it is nobody else's.
    var held: Int { Self.pieceSize + (isShared ? 0 : body.capacity) }

    /// The next piece, which is then over; nil after the last.
    mutating func next() -> ArraySlice<UInt8>? {
        if let beginning {
            self.beginning = nil
            return beginning[...]
        }
        guard position < body.count else { return nil }
        let start = position
        position = min(body.count, start + Self.pieceSize)
        return body[start..<position]
    }
}
