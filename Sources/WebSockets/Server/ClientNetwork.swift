import CLibuv
import CLibwebsockets

/// What one subscriber has: an IPv4 address, or the 2^64 addresses of an IPv6 network (RFC 6177).
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
