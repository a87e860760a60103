import ListProtocol

extension ListDescription {
    /// What whoever may only read the list is told of it.
    var unrefreshable: ListDescription {
        var description = self
        description.refreshable = false
        return description
    }
}
