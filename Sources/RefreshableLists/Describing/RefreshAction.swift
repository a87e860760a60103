/// Refreshes a list from code, as a pull does from a finger: call it, and await the outcome.
///
/// ```swift
/// let outcome = await server["mailbox"]?.refresh?()
/// ```
///
/// It joins a run that is under way, so calling it twice starts one. It may be called from any task; a server that does
/// not run yet answers when it does.
public struct RefreshAction: Sendable {
    /// Which run a call wants.
    public enum Freshness: Hashable, Sendable {
        /// The one under way, if there is one.
        case join
        /// One that begins from now on: after the one under way, together with all who want the same.
        case after
    }

    private let list: LiveList

    init(_ list: LiveList) { self.list = list }

    /// Refreshes, and returns when the run is over.
    ///
    /// Cancelling the task that waits takes its request back: it gets `cancelled` at once, and the run ends if nobody else
    /// wants it. A refresh that the list's `shouldRefresh` refuses is a failure with the code `refused`.
    @discardableResult
    public func callAsFunction(fresh: Freshness = .join) async -> RefreshOutcome {
        guard !Task.isCancelled else { return .cancelled }
        let call = RefreshCall()
        list.post { $0.ask(call, isAfter: fresh == .after) }
        return await withTaskCancellationHandler {
            await call.outcome
        } onCancel: {
            call.end(.cancelled)
            list.post { $0.withdraw(call) }
        }
    }

    /// Begins a refresh and does not wait for it. Does nothing while one is under way.
    public func start() {
        list.post { list in
            guard list.gate.current == nil else { return }
            list.refresh(.init(requester: .program, cause: .code)) { _ in
            } whenOver: { _ in
            }
        }
    }

    /// Ends the run under way with success and asks its handler to stop. What it has yielded is the list then; the rows
    /// stay where it has yielded nothing. Does nothing while no run is under way.
    public func finish() { list.post { $0.finish() } }
}
