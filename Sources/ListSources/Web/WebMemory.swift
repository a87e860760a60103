import KeyedLists

/// What a web source remembers from one request to the next.
struct WebMemory {
    /// The last answer that was read whole.
    struct Kept {
        var rows: [Row]
        var next: String?
        var etag: String?
        var lastModified: String?
    }

    private(set) var kept: Kept?
    /// Where the rows are that follow the last page; nil: there are none.
    var next: String?
    /// How many first pages were read.
    private(set) var turn = 0
    /// What the server asked for: how long to wait, since when (ms since 1970), and what it said.
    var notBefore: (wait: Duration, since: Int64, said: SourceError)?

    /// The first page was read, or is what it was.
    mutating func begin(_ kept: Kept) {
        self.kept = kept
        next = kept.next
        turn += 1
    }

    /// The headers that ask whether there is another answer: RFC 9110 §13.1.
    var conditions: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = kept?.etag
        // §13.1.3: not beside the other.
        if kept?.etag == nil { headers["If-Modified-Since"] = kept?.lastModified }
        return headers
    }

    /// - Throws: what the server said, as long as it wants to be left alone.
    mutating func checkPatience(now: Int64) throws(SourceError) {
        guard let (wait, since, said) = notBefore else { return }
        let left = wait - .milliseconds(now - since)
        guard left > .zero, now >= since else {
            notBefore = nil
            return
        }
        var error = said
        error.retryAfter = left
        throw error
    }
}
