/// What becomes of a server's lists while it serves.
package struct ListsChange: Sendable {
    /// All that are served from now on, in order, as they are described now.
    package var lists: [RefreshableList]
    /// Names of those that are described otherwise than before.
    package var changed: Set<String>
    /// Of these, those whose rows come from elsewhere or are made otherwise.
    package var withOtherRows: Set<String>

    package init(lists: [RefreshableList], changed: Set<String>, withOtherRows: Set<String>) {
        self.lists = lists
        self.changed = changed
        self.withOtherRows = withOtherRows
    }
}
