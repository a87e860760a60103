import ListSources

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An IP address, and whether it is loopback, private or reserved.
struct NetworkAddress: Hashable {
    /// 4 or 16.
    let bytes: [UInt8]

    /// Whether the whole world does not reach it: the special addresses of RFC 6890, and those that hold one of them.
    var isPrivate: Bool { bytes.count == 4 ? Self.isPrivate4(bytes) : isPrivate6 }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Nil for what is no IP address, such as a socket in a folder.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6: bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        default: return nil
        }
    }

    private static func isPrivate4(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127), (198, 18...19): true
        case (192, 0): bytes[2] == 0 || bytes[2] == 2
        case (224..., _): true
        default: false
        }
    }

    private var isPrivate6: Bool {
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        let isTranslated = bytes[..<4] == [0x00, 0x64, 0xFF, 0x9B] && bytes[4..<12].allSatisfy { $0 == 0 }
        if isMapped || isTranslated { return Self.isPrivate4(Array(bytes[12...])) }
        if bytes[..<8].allSatisfy({ $0 == 0 }) { return true }
        switch bytes[0] {
        case 0xFC, 0xFD, 0xFF: return true
        case 0xFE: return bytes[1] & 0xC0 == 0x80
        case 0x20 where bytes[1] == 0x02: return Self.isPrivate4(Array(bytes[2..<6]))
        default: return false
        }
    }
}
