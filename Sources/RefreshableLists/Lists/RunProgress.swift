/// How far a run is.
public struct RunProgress: Hashable, Sendable {
    /// How many units are done.
    public var completed: Int
    /// Of how many; nil where that is not known.
    public var total: Int?
    /// A few words, such as "page 3".
    public var note: String?
}
