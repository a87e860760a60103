/// What a `release` or a `refresh` has come to: a run, or the reason why there is none.
public enum RunReference: Hashable, Sendable {
    /// Why no run came of it.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The gesture was not pulled far enough, or was dragged back.
        case belowThreshold
        /// The list was refreshed less than its minimum interval ago: what is there is the answer.
        case tooSoon
        /// The list's owner said no.
        case refused
        /// The gesture was down while the list was loading; a new one is needed.
        case spent
    }

    /// It started the run of that name, or joined it.
    case run(String, joined: Bool)
    /// There is none; `message` is a text for people, where there is one.
    case noRun(Reason, message: String? = nil)
}
