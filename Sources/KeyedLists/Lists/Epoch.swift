/// The name of one unbroken history of a list: 64 random bits. Revisions are compared only within an epoch.
public struct Epoch: Hashable, Sendable, CustomStringConvertible {
    /// The bits.
    public let value: UInt64

    /// Makes an epoch of known bits, as a store keeps them.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// A new epoch from the system's random numbers.
    public static func random() -> Epoch {
        Epoch(UInt64.random(in: .min ... .max))
    }

    /// Reads what `description` wrote; `nil` for anything else, also for the same number written in another way.
    public init?(_ string: String) {
        guard let value = UInt64(string, radix: 36) else { return nil }
        self.value = value
        // Capitals, a sign and leading zeros would let two texts name one epoch. Bytes, as equality of strings merges.
        guard description.utf8.elementsEqual(string.utf8) else { return nil }
    }

    /// The bits in base 36, in lower case: at most 13 characters.
    public var description: String { String(value, radix: 36) }
}
