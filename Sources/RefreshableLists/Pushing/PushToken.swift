/// The secret that a program shows to push.
struct PushToken: Sendable {
    private let secret: [UInt8]

    /// Nil for the empty text, which is no secret.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        secret = Array(text.utf8)
    }

    /// Whether that is it. The time this takes tells the length of what was shown, and nothing about the secret.
    func matches(_ shown: some StringProtocol) -> Bool {
        var difference = shown.utf8.count ^ secret.count
        for (index, byte) in shown.utf8.enumerated() {
            difference |= Int(byte ^ secret[index % secret.count])
        }
        return difference == 0
    }
}
