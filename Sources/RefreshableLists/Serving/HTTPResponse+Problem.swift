import KeyedLists
import WebSockets

/// Errors for programs: RFC 9457.
extension HTTPResponse {
    /// An error that needs no type of its own, beyond its status.
    ///
    /// - Parameters:
    ///   - detail: a sentence on what was wrong with this request, and what to do.
    ///   - more: writes further members.
    static func problem(
        _ status: Int, _ detail: String, more: (inout JSONWriter) -> Void = { _ in }
    ) -> HTTPResponse {
        var json = JSONWriter()
        json.beginObject()
        // RFC 9457 §4.2.1: such a problem has the status phrase as its title.
        json.member("type", "about:blank")
        json.member("title", HTTPResponse.reason(of: status))
        json.member("status", status)
        json.member("detail", detail)
        more(&json)
        json.endObject()
        var response = HTTPResponse.json(status, json.bytes)
        response.headers["Content-Type"] = "application/problem+json"
        return response
    }

    /// The method is none of those that there are.
    static func notAllowed(_ request: HTTPRequest, _ allowed: String) -> HTTPResponse {
        var response = problem(405, "\(request.method) is not possible here. Use \(allowed).")
        response.headers["Allow"] = allowed
        return response
    }

    /// The same refusal for a program, where it was written for a person.
    var asProblem: HTTPResponse {
        var response = HTTPResponse.problem(status, String(decoding: body.prefix { $0 != 0x0A }, as: UTF8.self))
        for field in headers.fields where !["content-type", "cache-control"].contains(field.name.lowercased()) {
            response.headers.add(field.name, field.value)
        }
        return response
    }
}
