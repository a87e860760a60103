import CLibuv
import CLibwebsockets

/// Numeric addresses, by inet_pton(3) and inet_ntop(3).
enum IPAddress {
    static func isVersion4(_ text: some StringProtocol) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, String(text), &address) == 1
    }

    static func isVersion6(_ text: some StringProtocol) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, String(text), &address) == 1
    }

    /// The addresses of a name, numeric, the preferred one first; empty if it has none (getaddrinfo(3), which may block).
    static func all(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(shim_SOCK_STREAM)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [String] = []
        var next = found
        while let entry = next?.pointee {
            var address = sockaddr_storage()
            withUnsafeMutableBytes(of: &address) { bytes in
                bytes.copyMemory(from: UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
            }
            addresses.append(text(of: address))
            next = entry.ai_next
        }
        return addresses
    }

    /// The numeric form; an IPv4 address that came by an IPv6 socket reads as IPv4.
    static func text(of address: sockaddr_storage) -> String {
        let text = withUnsafePointer(to: address) { pointer in
            let raw = UnsafeRawPointer(pointer)
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET: return format(AF_INET, raw + offset(of: \sockaddr_in.sin_addr))
            case AF_INET6: return format(AF_INET6, raw + offset(of: \sockaddr_in6.sin6_addr))
            default: return "unknown"
            }
        }
        return text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
    }

    /// The port of a socket's address, in the machine's byte order.
    static func port(of address: sockaddr_storage) -> Int {
        withUnsafeBytes(of: address) { bytes in
            // sin_port and sin6_port are both the two bytes after the family.
            Int(bytes[2]) << 8 | Int(bytes[3])
        }
    }

    private static func offset<Root, Value>(of path: KeyPath<Root, Value>) -> Int {
        MemoryLayout<Root>.offset(of: path) ?? 0
    }

    private static func format(_ family: Int32, _ address: UnsafeRawPointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let start = inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count)) else {
                return "unknown"
            }
            return String(cString: start)
        }
    }
}
