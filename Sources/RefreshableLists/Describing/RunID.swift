/// Names one execution of a list's handler. Never repeated within an epoch, nor over a restart of the server.
public struct RunID: Hashable, Sendable, CustomStringConvertible {
    /// The how-manieth run of its list this is, from 1.
    public let number: Int

    init(_ number: Int) { self.number = number }

    /// Reads a name as it stands in messages: `r7`.
    package init?(_ text: String) {
        guard text.first == "r", let number = Int(text.dropFirst()), number > 0, text == "r\(number)" else {
            return nil
        }
        self.number = number
    }

    /// As it stands in messages: `r7`.
    public var description: String { "r\(number)" }
}
