import KeyedLists

/// The description of a list, sent in the ok of a watch, and as `settings` when it has changed.
public struct ListDescription: Hashable, Sendable {
    /// Its name.
    public var list: String
    /// Its title.
    public var title: String
    /// Whether it has a refresh action.
    public var refreshable: Bool
    /// How it wants to be pulled.
    public var pull: PullDescription
    /// What its rows are called.
    public var noun: Noun?
    /// What may be done to its rows, in the order in which it is offered.
    public var actions: [ActionDescription]
    /// Whether pages show which of its rows are unread.
    public var unread: Bool
    /// How its rows are divided into sections; nil: they are not.
    public var section: Sections?
    /// Of what people may ask to be notified; nil: of nothing.
    public var notify: Occasion?

    /// Makes a description.
    public init(
        list: String, title: String, refreshable: Bool, pull: PullDescription, noun: Noun? = nil,
        section: Sections? = nil, notify: Occasion? = nil, actions: [ActionDescription] = [], unread: Bool = false
    ) {
        self.noun = noun
        self.section = section
        self.notify = notify
        self.actions = actions
        self.unread = unread
        self.list = list
        self.title = title
        self.refreshable = refreshable
        self.pull = pull
    }
}

/// What happens to a list, of which people may be notified.
public enum Occasion: String, CaseIterable, Hashable, Sendable {
    /// Rows come.
    case rows
}

/// How a list is pulled: the gesture's distances in pixels, and the look of its indicator.
public struct PullDescription: Hashable, Sendable {
    /// `release`, `return` or `crossing`.
    public var trigger: String
    /// The displayed offset at which a pull is primed.
    public var threshold: Double
    /// The offset below which nothing is drawn.
    public var minimum: Double
    /// The offset at which the content rests while loading.
    public var hold: Double
    /// How far below the threshold a primed pull is given up.
    public var hysteresis: Double
    /// Whether priming and finishing are felt.
    public var haptics: Bool
    /// The name of the indicator.
    public var indicator: String
    /// The indicator's texts, by phase.
    public var texts: [String: String]

    /// Makes a description.
    public init(
        trigger: String, threshold: Double, minimum: Double, hold: Double, hysteresis: Double, haptics: Bool = true,
        indicator: String = "default", texts: [String: String] = [:]
    ) {
        self.trigger = trigger
        self.threshold = threshold
        self.minimum = minimum
        self.hold = hold
        self.hysteresis = hysteresis
        self.haptics = haptics
        self.indicator = indicator
        self.texts = texts
    }
}

/// How the rows of a list are divided into sections: consecutive rows that say the same share a heading. The order stays
/// the list's own, so that rows of one section that are apart have a heading each.
public enum Sections: Hashable, Sendable {
    /// By what the field of this name says: a text, or a number.
    case field(String)
    /// By the reader's calendar day of the field of this name, which is a time. The page tells the day, in the language and
    /// the time zone of its reader.
    case day(String)
}

extension Sections {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .field(let name): writer.member("field", name)
        case .day(let name): writer.member("day", name)
        }
    }

    /// Nil where a later version divides rows in a way that is none of ours: they are shown without headings.
    init?(_ members: Members) throws(MessageError) {
        if let name = try members.optional("day", members.string) {
            self = .day(name)
        } else if let name = try members.optional("field", members.string) {
            self = .field(name)
        } else {
            return nil
        }
    }
}
