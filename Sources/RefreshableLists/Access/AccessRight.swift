/// What somebody may do with a list.
public enum AccessRight: String, CaseIterable, Hashable, Sendable {
    /// See its rows, as they are and as they change.
    case read
    /// Have it refreshed, load its next page, and stop a run.
    case refresh
    /// Change its rows from outside, where the list takes pushes.
    case push
}
