/// What a `release`, a `refresh` or a `more` has come to: a run, or the reason why there is none.
public enum RunReference: Hashable, Sendable {
    /// Why no run came of it.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The gesture was not pulled far enough, or was dragged back.
        case belowThreshold
        /// The list was refreshed less than its minimum interval ago: what is there is the answer.
        case tooSoon
        /// The list's owner said no. Of a `more`: a refresh is under way, or the list comes in one piece.
        case refused
        /// The gesture was down while the list was loading; a new one is needed. Of a `more`: the row it names is not the
        /// list's last any more, so what was to follow it has come.
        case spent
        /// There are no more rows.
        case exhausted
    }

    /// It started the run of that name, or joined it.
    case run(String, joined: Bool)
    /// There is none; `message` is a text for people, where there is one.
    case noRun(Reason, message: String? = nil)
}
