public import KeyedLists

/// A browser that wants to be told of new rows of a list, as it is kept.
///
/// `seen` and `told` are counts of arrivals (``StoredArrivals/total``): what lies between `seen` and the newest is unread,
/// and what lies between `told` and the newest is to be told.
public struct StoredSubscription: Hashable, Sendable {
    /// Names the browser's subscription: the SHA-256 of its endpoint, hexadecimal.
    public var id: String
    /// Of which list it is to be told.
    public var list: String
    /// Where messages are sent. Secret, as what follows.
    public var endpoint: String
    /// For whom they are encrypted: `p256dh` and `auth`, in Base64URL.
    public var publicKey: String, secret: String
    /// The digest of the token by which it was made; empty: none was asked for.
    public var owner: String
    /// Names the browser's signing in by which it was made; nil: by none.
    public var signIn: Int64?
    /// The language of its page, such as `de`.
    public var language: String
    /// The host of its page.
    public var site: String
    /// The arrivals that its person has seen.
    public var seen: Int
    /// The arrivals of which it was told.
    public var told: Int

    /// A subscription as it is to be kept.
    public init(
        id: String, list: String, endpoint: String, publicKey: String, secret: String, owner: String, signIn: Int64?,
        language: String, site: String, seen: Int, told: Int
    ) {
        self.id = id
        self.list = list
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.secret = secret
        self.owner = owner
        self.signIn = signIn
        self.language = language
        self.site = site
        self.seen = seen
        self.told = told
    }
}

/// How many rows have come to a list that somebody wants to be told of.
public struct StoredArrivals: Hashable, Sendable {
    /// Where the list was when they were last counted; nil: its rows were never read since.
    public var epoch: Epoch?
    /// The revision in that epoch.
    public var revision: Revision
    /// How many have come since the first subscription. It never falls.
    public var total: Int
    /// The newest one's key and title, if it is known.
    public var key: String?, title: String?

    /// By default, none have come.
    public init(
        epoch: Epoch? = nil, revision: Revision = 0, total: Int = 0, key: String? = nil, title: String? = nil
    ) {
        self.epoch = epoch
        self.revision = revision
        self.total = total
        self.key = key
        self.title = title
    }
}

/// What is to be written in one transaction.
public struct SubscriptionChanges: Sendable {
    /// New, or in place of those of the same id and list.
    public var set: [StoredSubscription]
    /// Of these ids and lists.
    public var removed: [(id: String, list: String)]
    /// By the name of the list.
    public var arrivals: [String: StoredArrivals]

    /// By default, nothing.
    public init(
        set: [StoredSubscription] = [], removed: [(id: String, list: String)] = [],
        arrivals: [String: StoredArrivals] = [:]
    ) {
        self.set = set
        self.removed = removed
        self.arrivals = arrivals
    }

    /// Whether there is nothing to write.
    public var isEmpty: Bool { self.set.isEmpty && removed.isEmpty && arrivals.isEmpty }
}
