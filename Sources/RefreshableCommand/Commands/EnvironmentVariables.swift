#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The environment of this process, without Foundation.
enum EnvironmentVariables {
    /// Those of ours.
    static var all: [String: String] {
        let names = [
            "LISTS", "HOST", "PORT", "PUBLIC", "DATA", "EPHEMERAL", "LOOPS", "ALLOW_HOST", "ALLOW_ORIGIN", "LOG_LEVEL",
            "PUSH_TOKEN", "URL",
        ].map { "REFRESHABLE_\($0)" }
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                value(of: name).map { (name, $0) }
            })
    }

    /// Any other.
    static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
