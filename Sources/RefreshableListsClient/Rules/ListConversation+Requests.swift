import KeyedLists
import ListProtocol

/// What is asked of a list, until something has come of it.
extension ListConversation {
    /// - Parameter number: Names it in its conclusion; nil: nobody waits for that.
    mutating func ask(_ wish: Request.Wish, number: Int?, _ numbers: inout Numbers) -> [Action] {
        if let refusal, watching == .refused(retryAt: nil) {
            return number.map { [.conclude($0, .failed(refusal))] } ?? []
        }
        requests.append(Request(number: number, wish: wish))
        return sendWaiting(&numbers)
    }

    /// Whoever asked no longer wants it. What was not sent is dropped, and a run that came of it is stopped.
    mutating func withdraw(_ number: Int, _ numbers: inout Numbers) -> [Action] {
        guard let index = requests.firstIndex(where: { $0.number == number }) else { return [] }
        requests[index].number = nil
        if case .sent = requests[index].stage {
            requests[index].isWithdrawn = true
            return []
        }
        guard case .running(let run, _) = requests.remove(at: index).stage else { return [] }
        return ask(.stop(run: run), number: nil, &numbers)
    }

    mutating func sendWaiting(_ numbers: inout Numbers) -> [Action] {
        guard isWatched else { return [] }
        // A digest of rows that are yet to come can't be compared.
        let due = requests.indices.filter {
            requests[$0].stage == .waiting && !(isBehind && requests[$0].wish == .digest)
        }
        return due.map { index in
            let id = numbers.nextID()
            requests[index].stage = .sent(id: id)
            return .send(requests[index].wish.message(id: id, list: name))
        }
    }

    /// An answer; nil: it is none of this list's.
    mutating func receive(_ ok: OK, at now: Moment, _ numbers: inout Numbers) -> [Action]? {
        if let id = ok.id, watching == .awaited(id: id) { return watched(ok, &numbers) }
        guard let index = index(of: ok.id) else { return nil }
        if case .look(let view) = requests[index].wish {
            self.view = view
            replica.begin()
            requests[index].stage = .awaitingRows
            if requests[index].isWithdrawn { requests.remove(at: index) }
            return []
        }
        if requests[index].isWithdrawn {
            requests.remove(at: index)
            guard case .run(let run, _) = ok.run else { return [] }
            return ask(.stop(run: run), number: nil, &numbers)
        }
        switch (ok.run, ok.epoch, ok.revision, ok.crc32) {
        case (.run(let run, _), _, _, _):
            requests[index].stage = .running(run)
            return state.map { state in conclude { $0.conclusion(by: state) } } ?? []
        case (.noRun(let reason, let message), _, _, _):
            return end(index, .noRun(reason, message: message))
        case (nil, _, _, _?) where ok.window?.isSearching == true:
            // It is of what was found until now: another is asked for.
            requests[index].stage = .paused(until: now + Self.searchPause)
            return []
        case (nil, let epoch?, let revision?, let crc32?):
            requests[index].stage = .checking(epoch, revision, crc32: crc32, since: now.uptime)
            return compare(&numbers, isAnswer: true)
        default: return end(index, .done)
        }
    }

    /// A refusal; nil: it is none of this list's.
    mutating func receive(
        error id: String, _ code: ErrorCode, _ message: String, after: Int?, at now: Moment
    ) -> [Action]? {
        if watching == .awaited(id: id) {
            // Too many messages, whatever they were: nothing is said of the list.
            guard code == .rateLimited else { return refuse(code, message, after: after, now) }
            watching = .refused(retryAt: now + .milliseconds(after ?? 1000))
            return []
        }
        guard let index = index(of: id) else { return nil }
        switch code {
        case .rateLimited:
            requests[index].stage = .paused(until: now + .milliseconds(after ?? 1000))
            return []
        case .notWatching:
            requests[index].stage = .waiting
            return []
        default: return end(index, .failed(.refused(code, message)))
        }
    }

    private func index(of id: String?) -> Int? {
        id.flatMap { id in requests.firstIndex { $0.stage == .sent(id: id) } }
    }

    private mutating func end(_ index: Int, _ conclusion: Request.Conclusion) -> [Action] {
        let request = requests.remove(at: index)
        if case .release = request.wish { pull.refuse() }
        return request.number.map { [.conclude($0, conclusion)] } ?? []
    }

    /// All rows of what is looked at have come.
    mutating func concludeLooks() -> [Action] {
        conclude { $0.stage == .awaitingRows ? .done : nil }
    }

    /// The client ends: nothing more will come of anything.
    mutating func abandon(because error: ListClientError) -> [Action] {
        conclude { _ in .failed(error) }
    }

    /// A digest is compared where our rows are at exactly its revision. Rows that come meanwhile may lead past it: then another
    /// is asked for. Rows that stay away were lost: then the list is watched again (`pass`), and another is asked for.
    ///
    /// - Parameter isAnswer: Whether it has just come. Rows that were sent before it lead to its revision at most, so ours are
    ///   wrong if they are past that, or of another epoch.
    mutating func compare(_ numbers: inout Numbers, isAnswer: Bool) -> [Action] {
        let rows = replica.rows
        var (concluded, differs): ([Action], Bool) = ([], false)
        // Backwards, for those that end are taken out.
        for index in requests.indices.reversed() {
            guard case .checking(let epoch, let revision, let crc32, _) = requests[index].stage else { continue }
            let isOfEpoch = epoch == replica.epoch
            let isIncomplete = replica.isIncomplete || replica.place?.isSearching == true
            if isOfEpoch, revision > rows.revision || (revision == rows.revision && isIncomplete) { continue }
            guard isOfEpoch && revision == rows.revision || isAnswer else {
                requests[index].stage = .waiting
                continue
            }
            let areSame = isOfEpoch && revision == rows.revision && rows.digest == crc32
            concluded = end(index, .compared(areSame: areSame)) + concluded
            differs = differs || !areSame
        }
        guard differs else { return concluded + sendWaiting(&numbers) }
        replica.lose()
        return concluded + watch(&numbers)
    }

    /// The finger's newest sample, if it is time for it. One that cannot be sent is lost without regret.
    mutating func sample(_ now: Moment) -> [Action] {
        guard isWatched, let (gesture, offset) = pull.takeSample(now: now.uptime) else { return [] }
        return [.send(.pull(id: nil, list: name, gesture: gesture, offset: offset))]
    }

    mutating func concludeActs() -> [Action] {
        let revision = replica.rows.revision
        return conclude { request in
            guard case .closing(let act) = request.stage, case .closing(_, let shown, _, _) = act.phase else {
                return nil
            }
            return shown ?? 0 <= revision ? .act(act) : nil
        }
    }

    /// Ends the requests that something has come of.
    mutating func conclude(_ conclusion: (Request) -> Request.Conclusion?) -> [Action] {
        var actions: [Action] = []
        requests.removeAll { request in
            guard let conclusion = conclusion(request) else { return false }
            if let number = request.number { actions.append(.conclude(number, conclusion)) }
            return true
        }
        return actions
    }
}

extension Request {
    /// A run that the server no longer knows has ended with it: it is asked for again.
    mutating func resolve(by state: ListState) {
        guard case .running(let run, true) = stage else { return }
        let isUnderWay = state.phase == .loading && state.run == run
        stage = isUnderWay || state.last?.run == run ? .running(run) : .waiting
    }

    /// What a list's state says of a run that is waited for; nil: it goes on.
    func conclusion(by state: ListState) -> Conclusion? {
        guard case .running(let run, false) = stage else { return nil }
        if case .act = wish { return nil }
        return state.last.flatMap { state.isOver(run) ? .run($0) : nil }
    }
}

extension ListState {
    /// Whether a run has ended: any state may be left out for a newer one, so it has if the last run is it or a later one.
    func isOver(_ run: String) -> Bool {
        guard let last = last?.run else { return false }
        guard last != run else { return true }
        // Runs end in a number that rises within an epoch.
        guard let number = Self.number(of: run), let ended = Self.number(of: last) else { return false }
        return ended > number
    }

    private static func number(of run: String) -> Int? {
        Int(String(run.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()))
    }
}
