/// Where an edited row is to stand.
public enum Place: Hashable, Sendable {
    /// A known row stays where it is; a new one goes on top.
    case kept
    /// On top.
    case first
    /// At the end.
    case last
    /// Directly before the row with this key; as `kept` if the list has none such, or if it is the row itself.
    case before(Key)
    /// Directly after the row with this key; as `kept` if the list has none such, or if it is the row itself.
    case after(Key)
}
