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

/// A block of addresses, as `10.0.0.0/8`, `2001:db8::/32`, or one address alone (RFC 4632, RFC 4291 §2.3).
public struct AddressBlock: Hashable, Sendable {
    /// 16 bytes; an IPv4 address as one of IPv6 (RFC 4291 §2.5.5.2). Those behind the prefix are zero.
    private let bytes: [UInt8]
    /// In bits, of all 128.
    private let prefix: Int

    /// Nil for what is no address, or has a prefix that is longer than one.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, let bytes = Self.bytes(of: address) else { return nil }
        let outside = address.contains(":") ? 0 : 96
        var prefix = 128
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]),
                0...(128 - outside) ~= number
            else { return nil }
            prefix = outside + number
        }
        self.prefix = prefix
        self.bytes = Self.cut(bytes, prefix)
    }

    /// Whether a numeric address is in it; what is none is in no block.
    public func contains(_ address: some StringProtocol) -> Bool {
        Self.bytes(of: address).map { Self.cut($0, prefix) == bytes } ?? false
    }

    /// Whether a subscriber is in it, at least in part.
    func contains(_ network: ClientNetwork) -> Bool {
        let address = network.bytes
        let bits = Self.isVersion4(address) ? prefix : min(prefix, 64)
        return Self.cut(address, bits) == Self.cut(bytes, bits)
    }

    /// What stands for whoever has an address: the address itself, and of IPv6 the first half, within which a person has
    /// as many as they like (RFC 4291 §2.5.4). What is no address stands for itself.
    package static func network(of address: String) -> [UInt8] {
        guard let bytes = bytes(of: address) else { return Array(address.utf8) }
        return isVersion4(bytes) ? bytes : Array(bytes.prefix(8))
    }

    private static func isVersion4(_ bytes: [UInt8]) -> Bool {
        bytes.prefix(12).elementsEqual(repeatElement(0, count: 10) + [0xFF, 0xFF])
    }

    /// By inet_pton(3).
    private static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var six = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, String(text), &six) == 1 { return six }
        var four = [UInt8](repeating: 0, count: 4)
        guard inet_pton(AF_INET, String(text), &four) == 1 else { return nil }
        return Array(repeating: 0, count: 10) + [0xFF, 0xFF] + four
    }

    private static func cut(_ bytes: [UInt8], _ prefix: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let bits = min(8, max(0, prefix - index * 8))
            return byte & UInt8(truncatingIfNeeded: 0xFF00 >> bits)
        }
    }
}

/// The addresses of one client: an IPv4 address, or the 2^64 addresses of an IPv6 network (RFC 6177).
struct ClientNetwork: Hashable {
    /// The upper half of the IPv6 address; for IPv4 that of no network (RFC 4291 §2.5.5.2 has it further down).
    private let number: UInt64

    /// nil if the text is not a numeric address.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(version4: four.s_addr)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self = withUnsafeBytes(of: six) { ClientNetwork(version6: $0) }
        } else {
            return nil
        }
    }

    /// - Parameter address: a peer's. One that is neither IPv4 nor IPv6 is in the block of all such.
    init(_ address: sockaddr_storage) {
        self = withUnsafeBytes(of: address) { bytes in
            switch Int32(address.ss_family) {
            // Where the address stands: after family and port; in IPv6 a flow label, too.
            case AF_INET: ClientNetwork(version4: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            case AF_INET6: ClientNetwork(version6: UnsafeRawBufferPointer(rebasing: bytes[8..<24]))
            default: ClientNetwork(version4: 0)
            }
        }
    }

    /// The address in the form of IPv6, or what all of the network begin with.
    var bytes: [UInt8] {
        let isVersion4 = number >> 48 == 0xFFFF
        let upper = isVersion4 ? 0 : number
        let lower = isVersion4 ? 0x0000_FFFF_0000_0000 | (number & 0xFFFF_FFFF) : 0
        return [upper, lower].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }

    private init(number: UInt64) { self.number = number }

    private init(version4 address: UInt32) {
        self.init(number: 0xFFFF_0000_0000_0000 | UInt64(UInt32(bigEndian: address)))
    }

    /// An IPv4 address that came by an IPv6 socket is what it is.
    private init(version6 bytes: UnsafeRawBufferPointer) {
        let upper = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        let lower = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        if upper == 0, lower >> 32 == 0xFFFF {
            self.init(version4: UInt32(truncatingIfNeeded: lower).bigEndian)
        } else {
            self.init(number: upper)
        }
    }
}
