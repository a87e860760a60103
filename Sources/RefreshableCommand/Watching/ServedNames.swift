import KeyedLists
import WebSockets

/// The names of the lists that a server has, for whoever named none.
enum ServedNames {
    /// - Parameters:
    ///   - url: of the server, such as `http://localhost:8080`.
    ///   - trust: which servers are believed.
    static func of(_ url: String, trust: ServerTrust = ServerTrust()) async throws -> [String] {
        let answer = try await HTTPClient.get(
            (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/lists", trust: trust)
        guard case .object(let members) = try JSONValue(json: answer.body), case .array(let lists)? = members["lists"]
        else { return [] }
        return lists.compactMap { list in
            guard case .object(let members) = list, case .string(let name)? = members["name"] else { return nil }
            return name
        }
    }
}
