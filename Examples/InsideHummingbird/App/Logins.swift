import Hummingbird
import RefreshableLists
import Synchronization

/// The shop's own login: a cookie that names who has signed in. Yours keeps hashes of passwords, and sends the cookie by TLS alone.
final class Logins: Sendable {
    private static let cookie = "shop"
    private let passwords = ["ada": "engine", "ben": "kite"]
    private let names = Mutex<[String: String]>([:])

    /// Who sent a request, and what they may do with the lists; nil: nobody who has signed in.
    func user(of headers: HTTPFields) -> AccessIdentity? {
        let cookies = headers[values: .cookie].flatMap { $0.split(separator: "; ") }
        let shown = cookies.first { $0.hasPrefix("\(Self.cookie)=") }?.dropFirst(Self.cookie.utf8.count + 1)
        guard let shown, let name = names.withLock({ $0[String(shown)] }) else { return nil }
        return AccessIdentity(name, rights: name == "ada" ? ["*": [.read, .refresh]] : ["*": [.read]])
    }

    /// What the form sends.
    private struct Form: Decodable {
        var name: String
        var password: String
    }

    func signIn(_ request: Request, _ context: ShopContext) async throws -> Response {
        let form = try await URLEncodedFormDecoder().decode(Form.self, from: request, context: context)
        guard passwords[form.name] == form.password else { throw HTTPError(.unauthorized, message: "Wrong password") }
        let secret = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        names.withLock { $0[secret] = form.name }
        let cookie = "\(Self.cookie)=\(secret); Path=/; HttpOnly; SameSite=Lax"
        return Response(status: .seeOther, headers: [.location: "/", .setCookie: cookie])
    }
}
