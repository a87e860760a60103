import WebSockets

/// What one list has lent of one kind to those who read it: bytes that were made once for all who read them then, and are in
/// memory until the slowest has them.
///
/// However many read however slowly, and whatever the list does meanwhile, no more is lent at a time than a mebibyte and four
/// times the largest; the oldest is taken back for the newest. What fits into a page of memory or four is not counted: it is
/// as small as all else that a connection keeps.
struct Loans {
    /// In bytes, of what is not counted.
    static let small = 16 * 1024
    private static let base = 1 << 20

    private struct Loan {
        weak var revocation: Revocation?
        let size: Int
    }

    /// Oldest first. Some are returned.
    private var loans: [Loan] = []

    /// Bytes that are lent now.
    var size: Int { loans.reduce(0) { $0 + ($1.revocation == nil ? 0 : $1.size) } }

    /// Whether so much can be lent without taking anything back.
    func haveRoom(for size: Int) -> Bool {
        size <= Self.small || self.size + size <= Self.most(of: loans.map(\.size) + [size])
    }

    /// Lends; nil for what is not counted. The bytes count for as long as somebody holds what is returned.
    mutating func lend(_ size: Int) -> Revocation? {
        guard size > Self.small else { return nil }
        loans.removeAll { $0.revocation == nil }
        let revocation = Revocation()
        loans.append(Loan(revocation: revocation, size: size))
        let most = Self.most(of: loans.map(\.size))
        var sum = self.size
        while sum > most {
            let oldest = loans.removeFirst()
            sum -= oldest.size
            oldest.revocation?.revoke()
        }
        return revocation
    }

    private static func most(of sizes: [Int]) -> Int { base + 4 * (sizes.max() ?? 0) }
}
