import KeyedLists
import ListProtocol
import WebSockets

/// The names of the lists that a server has, for whoever named none or one that isn't there.
enum ServedNames {
    /// - Parameters:
    ///   - url: of the server, such as `http://localhost:8080`.
    ///   - headers: what is shown to it.
    ///   - trust: which servers are believed.
    /// - Throws: `WatchError` where it asks for a token; `SocketError`.
    static func of(_ url: String, headers: HTTPHeaders, trust: ServerTrust = ServerTrust()) async throws -> [String] {
        let lists = (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/lists"
        let answer = try await HTTPClient.get(lists, headers: headers, trust: trust)
        if answer.status == 401 || answer.status == 429 {
            throw WatchError.refused(answer.status == 401 ? .unauthorised : .rateLimited, answer.detail)
        }
        guard case .object(let members) = try JSONValue(json: answer.body), case .array(let lists)? = members["lists"]
        else { return [] }
        return lists.compactMap { list in
            guard case .object(let members) = list, case .string(let name)? = members["name"] else { return nil }
            return name
        }
    }

    /// What a person is told of an error: where a list isn't there, which one they probably meant, too.
    static func told(
        _ error: any Error, of list: String, at url: String, headers: HTTPHeaders, trust: ServerTrust
    ) async -> String {
        guard case WatchError.refused(.unknownList, let message) = error,
            let names = try? await of(url, headers: headers, trust: trust), !names.isEmpty
        else { return "\(error)" }
        let meant = Spelling.nearest(to: list, in: names).map { "Did you mean \"\($0)\"?" }
        return "\(message) \(meant ?? "There are \(names.joined(separator: ", ")).")".clean
    }
}
