/// What a list is to those who watch it: what the ok of a watch says, and `settings` when it has changed.
public struct ListDescription: Hashable, Sendable {
    /// Its name.
    public var list: String
    /// What people call it.
    public var title: String
    /// Whether it has a refresh action.
    public var refreshable: Bool
    /// How it wants to be pulled.
    public var pull: PullDescription

    /// Makes a description.
    public init(list: String, title: String, refreshable: Bool, pull: PullDescription) {
        self.list = list
        self.title = title
        self.refreshable = refreshable
        self.pull = pull
    }
}
