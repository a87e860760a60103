import Pulling

/// The newest state of a list, and the loading before it, which goes before its rows.
struct ListStates: Sendable {
    private(set) var loading: ListStateFrame?
    private(set) var newest: ListStateFrame?

    mutating func append(_ state: ListStateFrame) {
        if state.isLoading {
            loading = state
        } else if state.phase != .closing {
            loading = nil
        }
        newest = state
    }

    mutating func append(_ other: ListStates) {
        guard let state = other.newest else { return }
        if let loading = other.loading { append(loading) }
        if !state.isLoading { append(state) }
    }
}
