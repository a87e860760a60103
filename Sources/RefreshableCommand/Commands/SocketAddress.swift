/// Addresses of servers, as people type them.
enum SocketAddress {
    /// `http://host:8080/` is the socket `ws://host:8080/ws`; an address that begins with `ws` is taken as it is.
    static func socket(of url: String) -> String {
        guard !url.hasPrefix("ws://"), !url.hasPrefix("wss://") else { return url }
        let scheme = url.hasPrefix("https://") ? "wss://" : "ws://"
        let host = ["http://", "https://"].first(where: url.hasPrefix).map { url.dropFirst($0.count) } ?? url[...]
        return scheme + (host.hasSuffix("/") ? host.dropLast() : host) + "/ws"
    }
}
