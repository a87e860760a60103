#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the machine calls itself.
enum MachineName {
    /// Its host name (gethostname(2)), without a domain; `localhost` where it has none.
    static var current: String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let isKnown =
            bytes.withUnsafeMutableBytes { gethostname($0.baseAddress!.assumingMemoryBound(to: CChar.self), 255) } == 0
        let name = bytes.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }
        return isKnown && !name.isEmpty ? String(decoding: name, as: UTF8.self) : "localhost"
    }
}
