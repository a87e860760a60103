/// What a store has to tell that nobody asked for: each is one line for whoever runs the server.
public enum StoreEvent: Hashable, Sendable, CustomStringConvertible {
    /// All lists are in new epochs, with the rows that the file has now: lists that are loaded are to be loaded again.
    case renewed(path: String, reason: String)
    /// Nothing can be kept from now on.
    case lost(ListStoreError)
    /// What was lost is there again.
    case recovered(path: String)

    /// What happened, and what it means.
    public var description: String {
        switch self {
        case .renewed(let path, let reason):
            "The lists in \(path) come in new epochs, with the rows that are there now: \(reason)."
        case .lost(let error): "\(error)"
        case .recovered(let path): "\(path) can be used again."
        }
    }
}
