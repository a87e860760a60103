// `environ` is a variable of the C library; nobody here changes it.
#if canImport(Darwin)
    @preconcurrency import Darwin
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Glibc
#endif

/// The environment of this process, without Foundation.
enum EnvironmentVariables {
    /// Those of ours.
    static var all: [String: String] {
        let names = [
            "LISTS", "HOST", "PORT", "PUBLIC", "DATA", "EPHEMERAL", "LOOPS", "ALLOW_HOST", "ALLOW_ORIGIN", "LOG_LEVEL",
            "PROXY", "PUSH_TOKEN", "TOKENS", "TOKEN", "URL", "CERTIFICATE", "KEY", "REDIRECT_PORT", "HSTS", "CA_FILE",
            "METRICS", "DRAIN", "LOG_FORMAT",
        ].map { "REFRESHABLE_\($0)" }
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                value(of: name).map { (name, $0) }
            })
    }

    /// Any other.
    static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// All there are, by name. Read once, at the first use.
    static let every: [String: String] = {
        var variables: [String: String] = [:]
        var next = environ
        while let text = next.pointee {
            let line = String(cString: text)
            if let sign = line.firstIndex(of: "="), sign > line.startIndex {
                variables[String(line[..<sign])] = String(line[line.index(after: sign)...])
            }
            next += 1
        }
        return variables
    }()
}
