import WebSockets

extension HTTPHeaders {
    /// What stands in `Authorization: Bearer …` (RFC 6750 §2.1); the name of the scheme is told in any case.
    var bearerToken: String? {
        guard let value = self["Authorization"], value.prefix(7).lowercased() == "bearer " else { return nil }
        return String(value.dropFirst(7).drop { $0 == " " })
    }
}

/// Refusals of those who may not, for programs (RFC 6750 §3).
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
