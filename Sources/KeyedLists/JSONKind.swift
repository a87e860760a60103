/// The type of a JSON value, as its first byte tells it.
public enum JSONKind: String, Hashable, Sendable {
    case null, bool, number, string, array, object
}
