import CLibuv

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
