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

    /// Whose it is, and of which list.
    public var name: SubscriptionName { SubscriptionName(id: id, list: list) }
}

/// Names one browser's subscription to one list.
public struct SubscriptionName: Hashable, Sendable {
    /// The browser's: ``StoredSubscription/id``.
    public var id: String
    /// The list's.
    public var list: String

    /// Makes a name.
    public init(id: String, list: String) {
        self.id = id
        self.list = list
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

/// What is to be written at once.
public struct SubscriptionChanges: Sendable {
    /// New, or in place of those of the same id and list.
    public var set: [StoredSubscription]
    /// Of these ids and lists.
    public var removed: [(id: String, list: String)]
    /// By the name of the list.
    public var arrivals: [String: StoredArrivals]
    /// Those of `set` that somebody has asked for. Of the others only `seen` and `told` have grown: where another server has
    /// removed them, they stay removed.
    public var new: Set<SubscriptionName> = []
    /// Those of `set` that are told as soon as that is written, unless another server has told them, or they look.
    public var due: Set<SubscriptionName> = []
    /// Who has said that the list is on their screen, and how much longer that counts, in milliseconds; 0: it is not any more. They
    /// have seen what is there. A store of one server leaves it out: it counts for less than a minute.
    public var looks: [SubscriptionName: Int64] = [:]

    /// By default, nothing.
    public init(
        set: [StoredSubscription] = [], removed: [(id: String, list: String)] = [],
        arrivals: [String: StoredArrivals] = [:]
    ) {
        self.set = set
        self.removed = removed
        self.arrivals = arrivals
    }

    /// Whether there is nothing to write, looks left out.
    public var isEmpty: Bool { self.set.isEmpty && removed.isEmpty && arrivals.isEmpty }
}

/// What became of a subscription that was due.
public enum TellOutcome: Hashable, Sendable {
    /// This server tells it, and no other does. `seen`: how many arrivals its person has seen, whichever server they saw them at.
    case told(seen: Int)
    /// Its person has the list on the screen, for so much longer as far as is known.
    case looks(milliseconds: Int64)
    /// Another server has told it or leads the list by now, or it was removed, or its person has seen all.
    case over
}

/// What servers have changed since one of them last read it.
public struct SubscriptionUpdate: Sendable {
    /// Whether it is all there is: what is left out is not there.
    public var isWhole = false
    /// New, or changed.
    public var set: [StoredSubscription] = []
    /// No longer there.
    public var removed: [SubscriptionName] = []
    /// By the name of the list, those that have changed.
    public var arrivals: [String: StoredArrivals] = [:]

    /// Nothing.
    public init() {}
}
