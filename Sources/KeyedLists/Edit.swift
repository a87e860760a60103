/// One step of a commit made from code, or by another program.
public enum Edit: Hashable, Sendable {
    /// Puts a row in place: inserts it, or gives the one of that key these fields and this place.
    case set(Row, Place)
    /// Puts the row of that key somewhere else, and leaves its fields as they are; does nothing if there is none.
    case move(Key, Place)
    /// Takes the row of that key away; does nothing if there is none.
    case remove(Key)
}
