import KeyedLists
import ListSources

/// What a handler tells its list while it runs.
enum RunEvent: Sendable {
    case rows([Row])
    case progress(RunProgress)
    /// The handler returned: what it yielded is the list.
    case returned
    /// The handler returned: the list is what its edits made of it.
    case edited
    /// The handler returned: these rows follow the last one.
    case page(MorePage)
    case threw(any Error)

    var isEnd: Bool {
        switch self {
        case .returned, .edited, .page, .threw: true
        case .rows, .progress: false
        }
    }
}
