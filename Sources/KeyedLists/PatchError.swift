/// Why a patch could not be applied. The list is then as it was.
public enum PatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The patch begins after our revision: watch again from `revision`.
    case gap(from: Revision, revision: Revision)
    /// A row without fields that we don't know: watch anew, without a revision.
    case unknownKey(Key)
    /// The patch contradicts itself or our rows, so ours are not what they should be: watch anew, without a revision.
    case conflict(String)

    /// What we tried, what happened, and what to do.
    public var description: String {
        switch self {
        case .gap(let from, let revision):
            "Cannot apply a patch from revision \(from) at revision \(revision): those between are missing. "
                + "Watch again with revision \(revision)."
        case .unknownKey(let key):
            "Cannot move the row \"\(key)\": it is unknown here. Watch again without a revision."
        case .conflict(let reason):
            "Cannot apply the patch: \(reason). Watch again without a revision."
        }
    }
}
