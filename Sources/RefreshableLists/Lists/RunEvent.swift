import KeyedLists

/// What a handler tells its list while it runs.
enum RunEvent: Sendable {
    case rows([Row])
    case progress(RunProgress)
    case returned
    case threw(any Error)

    var isEnd: Bool {
        switch self {
        case .returned, .threw: true
        case .rows, .progress: false
        }
    }
}
