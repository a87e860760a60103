/// Why a server cannot be made of its description.
public enum RefreshableServerError: Error, Hashable, CustomStringConvertible {
    /// A name that cannot stand in `/lists/NAME`.
    case invalidName(String)
    /// Two lists have this name.
    case duplicateName(String)
    /// A list cannot be as it is described; the text says which modifier got what.
    case invalidList(String, reason: String)
    /// What is no address and no block of addresses stands among the proxies.
    case invalidProxy(String)
    /// `run()` was called before.
    case wasRun

    /// What cannot be served, and what to do.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "Cannot serve a list named \"\(name)\": use 1 to 64 letters, digits, `.`, `_` and `-`."
        case .duplicateName(let name):
            "Cannot serve two lists named \"\(name)\": give one of them another name."
        case .invalidList(let name, let reason): "Cannot serve the list \"\(name)\": \(reason)"
        case .invalidProxy(let text):
            "Cannot trust the proxy \"\(text)\": name an address such as 10.0.0.2, or a block such as 10.0.0.0/8."
        case .wasRun: "Cannot run a server a second time: make another one."
        }
    }

    static func check(_ lists: [RefreshableList]) throws(RefreshableServerError) {
        var names: Set<String> = []
        for list in lists {
            guard isValid(list.name) else { throw .invalidName(list.name) }
            if let reason = list.fault { throw .invalidList(list.name, reason: reason) }
            guard names.insert(list.name).inserted else { throw .duplicateName(list.name) }
        }
    }

    private static func isValid(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x2E || byte == 0x5F
            }
    }
}
