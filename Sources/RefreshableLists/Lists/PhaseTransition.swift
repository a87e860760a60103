/// A list goes from one phase to another: told once before it does, and once after.
public struct PhaseTransition: Hashable, Sendable {
    /// On which side of the change it is told.
    public enum Stage: Hashable, Sendable {
        /// Nobody has seen the new phase yet. A run that begins has not called its handler, one that ends has its rows kept.
        case will
        /// The list is in the new phase.
        case did
    }

    /// Before or after.
    public let stage: Stage
    /// The phase that ends.
    public let from: LiveList.Phase
    /// The phase that begins.
    public let to: LiveList.Phase
    /// The run that begins or has ended; nil when the list goes back to waiting.
    public let run: RunID?
    /// Why that run began.
    public let cause: RefreshCause?
}
