extension LiveList {
    /// Refreshes a list from code. Call it as a function and await the outcome.
    ///
    /// ```swift
    /// let outcome = await server["mailbox"]?.refresh?()
    /// ```
    ///
    /// By default a call joins the run under way, so two calls at once start one run. Call it from any task. Before the
    /// server runs, a call waits until it does.
    public struct RefreshAction: Sendable {
        /// Which run a call waits for.
        public enum Freshness: Hashable, Sendable {
            /// The run under way, or a new one if there is none.
            case join
            /// A run that begins after this call. It follows the run under way, and all such calls share it.
            case after
        }

        private let list: LiveList

        init(_ list: LiveList) { self.list = list }

        /// Refreshes the list, and returns when the run is over.
        ///
        /// Cancelling the waiting task withdraws its request: the call returns `cancelled` at once, and the run ends if no
        /// other caller wants it. A refresh that the list's `shouldRefresh` refuses is a failure with the code `refused`.
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

        /// Ends the run under way with success and asks its handler to stop. The rows yielded so far become the list; if none
        /// were yielded, the rows stay as they are. Does nothing while no run is under way.
        public func finish() { list.post { $0.finish() } }
    }
}
