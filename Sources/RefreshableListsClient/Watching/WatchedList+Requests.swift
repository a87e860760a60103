public import KeyedLists
public import ListProtocol

extension WatchedList {
    /// What became of something that was asked for.
    public enum Answer<End: Sendable>: Sendable {
        /// It was begun, or joined, and is over: so it ended.
        case ended(End)
        /// Nothing was begun, for this reason. The message, if there is one, is for people. `tooSoon`: what is there is the
        /// answer.
        case noRun(RunReference.Reason, message: String?)
        /// It can't be done.
        case failed(ListClientError)
        /// The task that waited for it was cancelled. What it had begun ends, unless somebody else wants it.
        case withdrawn
    }

    /// Refreshes the list and returns when that is over and its rows are here, however often the connection is lost
    /// meanwhile; where the server itself was lost with the run, it is asked for again. By default it joins the run under way.
    ///
    /// It never throws, so it can stand alone in SwiftUI's `.refreshable`. Cancelling the task withdraws the request. Of a run
    /// whose end was missed, the answer is how a later one ended.
    ///
    /// - Parameter fresh: `after` wants a run that begins from now on.
    @discardableResult
    public func refresh(fresh: ClientMessage.Freshness = .join) async -> Answer<LastRun> {
        await client.ask(name, .refresh(key: client.randomKey(), fresh: fresh)).ofRun
    }

    /// Loads the page that follows the last row, in a list that is loaded a page at a time (`state.hasMore`), and returns when
    /// its rows are here.
    @discardableResult
    public func more() async -> Answer<LastRun> {
        guard let last = client.read(name, { $0.replica.rows.last?.key }) else {
            return .noRun(.exhausted, message: nil)
        }
        return await client.ask(name, .more(after: last.string)).ofRun
    }

    /// Looks at another part of the list, or for other rows in it, and returns when they are here. The rest of the list is not
    /// followed from then on.
    ///
    /// ```swift
    /// try await log.look(at: ViewRequest(.first(0, count: 60), find: "tea"))
    /// ```
    ///
    /// - Parameter view: The window, of 1,000 rows at most, and what is looked for; `allUpTo` means nothing here.
    /// - Throws: `ListClientError.refused` where the server can't: `unknownRow` if the window is around a row that the list does not
    ///   have. Then what was looked at before is looked at still.
    public func look(at view: ViewRequest) async throws(ListClientError) {
        var view = view
        view.allUpTo = nil
        if case .failed(let error) = await client.ask(name, .look(view)) { throw error }
    }

    /// Withdraws from the run under way, whoever of this client has asked for it. It ends if nobody else wants it.
    public func stop() async {
        guard let state, state.phase == .loading, let run = state.run else { return }
        _ = await client.ask(name, .stop(run: run))
    }

    /// Uses an action of the list on a row, once, and returns when the rows show what came of it.
    ///
    /// - Parameters:
    ///   - action: The name of one of `description.actions`.
    ///   - row: The row's key.
    @discardableResult
    public func act(_ action: String, on row: Key) async -> Answer<ActionState> {
        await client.ask(name, .act(.use(action, row: row.string), key: client.randomKey())).ofAct
    }

    /// Undoes what an action did, as long as the list allows it.
    @discardableResult
    public func undo(_ act: ActionState) async -> Answer<ActionState> {
        await client.ask(name, .act(.undo(run: act.run), key: client.randomKey())).ofAct
    }

    /// Notes that a row was seen, or is to count as unread again. For whoever has signed in.
    ///
    /// - Parameters:
    ///   - isSeen: Whether it was seen.
    ///   - row: The row's key; nil: all rows.
    /// - Throws: `ListClientError` where the server does not take it.
    public func mark(seen isSeen: Bool = true, row: Key? = nil) async throws(ListClientError) {
        let request = ClientMessage.ActionRequest.mark(isSeen: isSeen, row: row?.string)
        if case .failed(let error) = await client.ask(name, .act(request, key: client.randomKey())) { throw error }
    }

    /// Asks the server for a check of its rows and compares it with ours, at the same revision. Where they differ, the list
    /// is watched anew, and its rows are put right.
    ///
    /// - Returns: Whether the rows were the same.
    /// - Throws: `ListClientError` where the server can't tell.
    public func verify() async throws(ListClientError) -> Bool {
        switch await client.ask(name, .digest) {
        case .compared(let areSame): return areSame
        case .failed(let error): throw error
        default: preconditionFailure("A digest was concluded as something else.")
        }
    }
}

/// A finger that pulls the list, where a program has one of its own. SwiftUI's `.refreshable` has: it needs no more than
/// ``refresh(fresh:)``.
///
/// What a pull will come to is predicted at once, by the same rules as the server's; its word replaces the prediction when it
/// comes. Offsets are the displayed px by which the content is pulled down.
extension WatchedList {
    /// What to show: the list's phase while it loads, else that of our own gesture; and its progress, 0…1.
    public var pull: (phase: Phase, progress: Double) { client.read(name, { $0.pull.shown }) ?? (.waiting, 0) }

    /// Pulls the content to an offset; the first time after a release or a cancel, with a new finger. Call it as often as the
    /// finger moves: the server is sent the newest, and no more than it takes.
    public func pull(to offset: Double) { client.handle(.pull(to: offset, list: name)) }

    /// Lifts the finger where the content is. The server decides whether that refreshes the list.
    ///
    /// - Returns: When the run that came of it is over; or at once, why none did.
    @discardableResult
    public func release() async -> Answer<LastRun> {
        await client.conclusion(of: name) { .release($0, list: self.name) }.ofRun
    }

    /// Abandons the gesture.
    public func cancelPull() { client.handle(.cancelPull(list: name)) }
}

extension Request.Conclusion? {
    /// Nil: whoever asked has withdrawn.
    fileprivate var ofRun: WatchedList.Answer<LastRun> {
        if case .run(let last) = self { return .ended(last) }
        return other()
    }

    fileprivate var ofAct: WatchedList.Answer<ActionState> {
        if case .act(let state) = self { return .ended(state) }
        return other()
    }

    private func other<End>() -> WatchedList.Answer<End> {
        switch self {
        case nil: .withdrawn
        case .noRun(let reason, let message): .noRun(reason, message: message)
        case .failed(let error): .failed(error)
        case .run, .act, .done, .compared: preconditionFailure("A request was concluded as one of another kind.")
        }
    }
}
