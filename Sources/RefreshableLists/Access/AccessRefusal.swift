/// Why somebody is turned away who could have been let in with another token.
///
/// A word of `refreshable_refusals_total` and of the log.
enum AccessRefusal: String, CaseIterable, Hashable, Sendable {
    /// What was shown is none of the tokens.
    case token
    /// It was one of them.
    case expired
    /// Too many wrong ones came from the address, so that none is looked at.
    case guesses
    /// No token was shown, and without one it can't be done.
    case anonymous
    /// The token does not allow it.
    case right
}

extension Authenticator.Answer {
    /// Nil: they may come in.
    var refusal: AccessRefusal? {
        switch self {
        case .visitor, .signedOut: nil
        case .wrong: .token
        case .expired: .expired
        case .tooManyGuesses: .guesses
        }
    }
}
