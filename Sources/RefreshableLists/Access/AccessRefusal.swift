import WebSockets

/// Why a client was rejected that another token could have allowed.
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

/// Counts requests that were rejected for lack of a token or a right, and decides which are logged. A pure rule.
struct RefusalCounter {
    /// Since the server's start.
    private(set) var counts: [AccessRefusal: Int] = [:]
    private var lines = LogRateLimit()

    /// Something that is only counted.
    mutating func count(_ refusal: AccessRefusal) { counts[refusal, default: 0] += 1 }

    /// A token that did not count.
    ///
    /// - Parameter now: uptime in milliseconds.
    /// - Returns: As `LogRateLimit.take`.
    mutating func note(_ refusal: AccessRefusal, at now: Int64) -> Int? {
        count(refusal)
        return lines.take(at: now)
    }
}

extension HTTPHeaders {
    /// The token of `Authorization: Bearer …` (RFC 6750 §2.1); the scheme's case is ignored.
    var bearerToken: String? {
        guard let value = self["Authorization"], value.prefix(7).lowercased() == "bearer " else { return nil }
        return String(value.dropFirst(7).drop { $0 == " " })
    }
}

/// Rejections for programs (RFC 6750 §3).
extension HTTPResponse {
    /// No token was shown that would do.
    static func unauthorised(_ detail: String, error: String? = nil) -> HTTPResponse {
        var response = problem(401, detail)
        response.headers["WWW-Authenticate"] = challenge(error)
        return response
    }

    /// Whoever it is may not do this.
    static func forbidden(_ right: AccessRight, _ list: String, _ visitor: Visitor) -> HTTPResponse {
        let detail = visitor.forbidden(right, list)
        guard !visitor.isStranger else { return unauthorised(detail) }
        var response = problem(403, detail)
        guard !visitor.isOnlooker else { return response }
        response.headers["WWW-Authenticate"] = challenge("insufficient_scope")
        return response
    }

    /// Nothing of that name, for this visitor.
    static func unknown(_ list: String, _ visitor: Visitor) -> HTTPResponse {
        let detail = visitor.unknown(list)
        return visitor.isStranger ? unauthorised(detail) : problem(404, "\(detail) GET /lists names them all.")
    }

    /// The door stays shut; nil: it doesn't.
    static func refusal(_ answer: Authenticator.Answer) -> HTTPResponse? {
        switch answer {
        case .visitor: return nil
        case .wrong: return unauthorised(Authenticator.wrong, error: "invalid_token")
        case .expired: return unauthorised(Authenticator.expired, error: "invalid_token")
        case .signedOut: return unauthorised(Authenticator.signedOut, error: "invalid_token")
        case .tooManyGuesses(let wait):
            var response = problem(429, Authenticator.tooMany(wait))
            response.headers["Retry-After"] = String((wait + 999) / 1000)
            return response
        }
    }

    private static func challenge(_ error: String?) -> String {
        "Bearer realm=\"refreshable\"" + (error.map { ", error=\"\($0)\"" } ?? "")
    }
}

extension Authenticator {
    static let wrong = "The token that was shown is not one of this server's. Show another, or none."
    static let expired = "The token that was shown has expired. Show a newer one."
    static let signedOut = "This browser has signed out. Sign in again."
    static let gone = "The token was taken away. Show another, or none."

    static func tooMany(_ wait: Int64) -> String {
        "Too many wrong tokens came from this address. Try again in \((wait + 999) / 1000) seconds."
    }
}
