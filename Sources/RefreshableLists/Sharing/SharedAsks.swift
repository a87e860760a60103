import ListStorage

/// What people at this server want of whoever leads the list.
struct SharedAsks {
    /// What was sent and is not answered yet, by key.
    var sent: [[UInt8]: SharedAsk] = [:]
    /// What of it is to be sent once others have been.
    var outgoing: [StoredAgreement.Request] = []
    var isSending = false
    /// What is asked of whoever will lead.
    var unsent: [SharedAsk] = []
    /// Those who wait here for a run of another server.
    var requesters: Set<RefreshGate.Requester> = []
    /// Requests of people here for actions that the leader performs, until they are over.
    var actions: Set<[UInt8]> = []
    /// What the store was last told of this server's interest.
    var interest = StoredAgreement.Interest(watchers: 0, isWanted: false)
    /// Those who have asked again what is not answered yet.
    var deciding: [IdempotencyKey: [(RefreshGate.Answer?) -> Void]] = [:]
    /// Those who wait to hear whether a request with this key was answered before, by any server.
    var recalls: [[UInt8]: [() -> Void]] = [:]

    /// Whether nobody here wants anything of a leader.
    var isEmpty: Bool { sent.isEmpty && unsent.isEmpty }

    /// Those whose answers are waited for.
    var keys: Set<[UInt8]> { Set(sent.keys).union(recalls.keys).union(actions) }

    mutating func takeUnsent() -> [SharedAsk] {
        defer { unsent = [] }
        return unsent
    }
}
