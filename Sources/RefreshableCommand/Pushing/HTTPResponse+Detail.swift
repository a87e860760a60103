import KeyedLists
import WebSockets

extension HTTPResponse {
    /// The sentence that the server's problem (RFC 9457) has for a person; what stands before it need not have one.
    var detail: String {
        do {
            guard case .object(let members) = try JSONValue(json: body), case .string(let detail)? = members["detail"]
            else { return "The server answered \(status)." }
            return detail
        } catch {
            return "The server answered \(status)."
        }
    }
}
