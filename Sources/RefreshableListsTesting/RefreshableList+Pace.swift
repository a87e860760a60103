import KeyedLists
import RefreshableLists

extension RefreshableList {
    /// The same list, with handlers that go on when `pace` lets them.
    func paced(by pace: HandlerSchedule) -> RefreshableList {
        with { list in
            list.handler = list.handler?.paced(by: pace)
            list.initialHandler = list.initialHandler?.paced(by: pace)
            guard let pages = list.pages else { return }
            list.pages = { last in pages(last).paced(by: pace) }
        }
    }
}

extension RefreshHandler {
    fileprivate func paced(by pace: HandlerSchedule) -> RefreshHandler {
        switch self {
        case .yields(let work): .yields { run in try await pace.follow(run.id) { try await work(run) } }
        case .edits(let work): .edits { run in try await pace.follow(run.id) { try await work(run) } }
        case .continues(let work): .continues { run in try await pace.follow(run.id) { try await work(run) } }
        case .callsBack(let work):
            .callsBack { done in
                Task { await pace.followCall(done.id) { work(done) } }
            }
        }
    }
}
