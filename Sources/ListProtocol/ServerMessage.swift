public import KeyedLists

/// What a server sends: one JSON object with a `type` in each text message of `refreshable.v1`.
///
/// A server builds the frames of rows with ``Frames``, which cuts them into parts; the cases
/// ``snapshot(_:)`` and ``patch(_:)`` are for clients that read them.
public enum ServerMessage: Hashable, Sendable {
    /// The first message on every connection. `now` is in milliseconds since 1970, `heartbeat` in milliseconds.
    case welcome(session: String, now: Int64, heartbeat: Int, limits: Limits)
    /// The answer to a message that was done.
    case ok(OK)
    /// One part of a list's rows, all of them.
    case snapshot(SnapshotPart)
    /// One part of what changed in a list.
    case patch(PatchPart)
    /// What a gesture has come to; for the one who pulls.
    case privateState(PrivateState)
    /// What a list is doing; for all who watch it.
    case state(ListState)
    /// How far a run has come. `total` is nil where it is not known.
    case progress(list: String, run: String, completed: Int, total: Int?, note: String?)
    /// A list that is watched is another now: what its ok said of it before.
    case settings(ListDescription)
    /// A list that was watched is not there any more. `after`, in milliseconds, is when it may be asked for again.
    case unwatched(list: String, code: ErrorCode, message: String, after: Int?)
    /// The answer to a message that was not done. `after`, in milliseconds, is written only with `retry` later.
    case error(id: String?, code: ErrorCode, message: String, after: Int?)
    /// The last message before a Close. `after` bounds, in milliseconds, the random pause before the client comes back.
    case goodbye(code: CloseCode, message: String, reconnect: Bool, after: ClosedRange<Int>?)
    /// A message, or a code in one, that this version does not know; for clients. It can't be encoded for a server's use.
    case unknown(type: String, members: JSONValue)
}
