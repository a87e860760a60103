import KeyedLists
import ListProtocol
import ListSources
import ListStorage

extension RefreshFailure {
    /// What people are told of an error, and what belongs into the log. Nobody is shown the text of an error that was
    /// not written for them: it may hold paths, queries, or secrets.
    ///
    /// - Parameter isAction: whether an action failed, and no refresh.
    static func explaining(
        _ error: any Error, isAction: Bool = false
    ) -> (failure: RefreshFailure, detail: String?) {
        switch error {
        case let failure as RefreshFailure: (failure, nil)
        case let error as SourceError:
            (RefreshFailure(error), "\(error)")
        case let error as DuplicateKey:
            (RefreshFailure("Two rows have the key \"\(error.key)\".", code: "duplicateKey"), nil)
        case let error as ListStoreError:
            (RefreshFailure(sentence(about: error), code: "unavailable"), "\(error)")
        case is RefreshAbandoned:
            (abandoned, "`done` was let go uncalled. Call done() or done.fail(error) on every path.")
        case let error as RowsError: (RefreshFailure("A row could not be made.", code: "badRow"), "\(error)")
        default: unexplained(error, isAction: isAction)
        }
    }

    /// The handler let its `done` go uncalled.
    static let abandoned = RefreshFailure("The refresh was given up before it was done.", code: "abandoned")

    /// The process ended while the handler of an action was at work.
    static let interrupted = RefreshFailure(
        "The server ended while this was being done. It is not known how far it came.", code: "interrupted")

    /// A run began of a list that has no handler for it.
    static let nothingToRefresh = RefreshFailure("There is nothing to refresh this list.", code: "notRefreshable")

    /// A run was promised, and its list can't be read.
    static let unreadable = RefreshFailure("The list cannot be read at the moment.", code: "unavailable")

    /// The run would leave one more handler behind than a list may have.
    static let tooManyOverdue = RefreshFailure(
        "Earlier refreshes of this list are still running.", code: "overdue", retryAfter: .seconds(30))

    /// What a run fails with that yields a row too large to be sent, or one without a key.
    static func limits(_ limits: Limits, exceededBy rows: [ListRow]) -> RefreshFailure? {
        for row in rows {
            let key = row.key.string
            if key.isEmpty { return RefreshFailure("A row has an empty key.", code: "badKey") }
            if key.utf8.count > limits.keyBytes {
                return RefreshFailure(
                    "The key \"\(key.prefix(40))…\" is longer than \(limits.keyBytes) bytes.", code: "badKey")
            }
            if row.fields.bytes.count > limits.rowBytes {
                return RefreshFailure(
                    "The row \"\(key.prefix(40))\" is larger than \(limits.rowBytes) bytes.", code: "tooLarge")
            }
        }
        return nil
    }

    /// Without the path, which is private.
    private static func sentence(about error: ListStoreError) -> String {
        switch error {
        case .diskFull: "The rows could not be kept: the server's disk is full."
        case .readOnly: "The rows could not be kept: the server may not write to its disk."
        case .replaced, .removed: "The rows could not be kept: where the server keeps them is not there any more."
        case .changed: "The rows could not be kept: another program has changed them meanwhile. Please try again."
        default: "The rows could not be kept."
        }
    }

    private static func unexplained(_ error: any Error, isAction: Bool) -> (RefreshFailure, String?) {
        let identifier = String(UInt32.random(in: 0x100000...0xFFFFFF), radix: 16)
        var failure =
            isAction
            ? RefreshFailure("The action failed (\(identifier)).", code: "actionFailed")
            : RefreshFailure("The refresh failed (\(identifier)).", code: "internal")
        failure.values = [identifier]
        return (failure, "\(identifier): \(error)")
    }

    private init(_ error: SourceError) {
        self.init(error.message, code: error.code, retryAfter: error.retryAfter)
        values = error.values
    }
}

extension LastRun {
    init(_ run: FinishedRun) {
        self.init(
            run: run.id.description, cause: run.cause == .more ? .more : nil,
            outcome: Outcome(rawValue: run.outcome.name) ?? .failure,
            duration: Int(run.duration.milliseconds), changes: run.changes, error: RunError(run.outcome))
    }
}

extension RunError {
    init?(_ outcome: RefreshOutcome) {
        switch outcome {
        case .success, .cancelled: return nil
        case .failure(let failure):
            self.init(
                code: failure.code, message: failure.message, values: failure.values,
                retryAfter: failure.retryAfter.map { Int($0.milliseconds) })
        case .timeout(let deadline):
            self.init(
                code: "timeout",
                message: "The source sent nothing for \(deadline.words). Raise the list's `deadline` to allow more.",
                values: ["\(deadline.components.seconds)"])
        }
    }
}
