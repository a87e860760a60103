/// What the servers of a list agree on: which of them leads it, and so runs its handler, and what the others ask of that one.
///
/// The leader's changes carry a fence, which grows with each leader: one that was asleep while another took over changes nothing.
public struct StoredAgreement: Hashable, Sendable {
    /// How much another server is interested in the list.
    public struct Interest: Hashable, Sendable {
        /// How many watch there.
        public var watchers: Int
        /// Whether anybody there waits for the run under way.
        public var isWanted: Bool

        /// Makes an interest.
        public init(watchers: Int, isWanted: Bool) {
            self.watchers = watchers
            self.isWanted = isWanted
        }
    }

    /// What another server asks of the leader.
    public struct Request: Hashable, Sendable {
        /// Identifies it: asked twice, it is answered alike.
        public var key: [UInt8]
        /// What is asked, in words of the servers.
        public var request: [UInt8]

        /// Makes a request.
        public init(key: [UInt8], request: [UInt8]) {
            self.key = key
            self.request = request
        }
    }

    /// An answer, remembered for ten minutes.
    public struct Answer: Hashable, Sendable {
        /// That of its request.
        public var key: [UInt8]
        /// The answer, in words of the servers.
        public var answer: [UInt8]

        /// Makes an answer.
        public init(key: [UInt8], answer: [UInt8]) {
            self.key = key
            self.answer = answer
        }
    }

    /// The server that leads; nil: none.
    public var leader: String?
    /// How many have led so far.
    public var fence = 0
    /// Whether the leader has been heard of within the last 5 s.
    public var isLed = false
    /// What the leader last said of what the list is doing, in words of the servers.
    public var state: [UInt8]?
    /// By server, but for this one.
    public var interest: [String: Interest] = [:]
    /// What nobody has answered yet.
    public var requests: [Request] = []
    /// By key, those that were waited for.
    public var answers: [[UInt8]: [UInt8]] = [:]

    /// The runs of actions with the keys that were waited for.
    public var actionRuns: [StoredActionRun] = []
    /// What people have not seen, of those who were asked about.
    public var unread: [StoredUnread] = []

    /// Of a list that nobody leads.
    public init() {}
}
