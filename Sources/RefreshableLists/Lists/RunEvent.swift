import KeyedLists

/// What a handler tells its list while it runs.
enum RunEvent: Sendable {
    case rows([Row])
    case progress(RunProgress)
    /// The handler returned: what it yielded is the list.
    case returned
    /// The handler returned: the list is what its edits made of it.
    case edited
    case threw(any Error)

    var isEnd: Bool {
        switch self {
        case .returned, .edited, .threw: true
        case .rows, .progress: false
        }
    }
}
