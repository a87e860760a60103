@testable import WebSockets

/// What must hold of whatever `Inflater` and its neighbours are given.
enum InflaterCheck {
    private static let limit = 1000
    private static let skipLimit = 4000

    static func fault(of bytes: [UInt8]) -> String? {
        let inflater = Inflater(limit: limit, skipLimit: skipLimit)
        let first = outcome(of: bytes, inflater)
        if let message = first, message.count > limit { return "A message is longer than the limit." }
        // What one message was is nothing to the next.
        if outcome(of: bytes, inflater) != first { return "It is read otherwise again." }
        let text = String(decoding: bytes, as: UTF8.self)
        if let answer = DeflateNegotiation(text).answer, !answer.hasPrefix(DeflateNegotiation.name + "; ") {
            return "An offer is answered with another extension."
        }
        var validator = UTF8Validator()
        let isText = bytes.withUnsafeBytes { validator.takes($0) } && validator.isComplete
        return isText == (Array(text.utf8) == bytes) ? nil : "What is text is judged otherwise than by the library."
    }

    /// nil if it is no message.
    private static func outcome(of bytes: [UInt8], _ inflater: Inflater) -> [UInt8]? {
        bytes.withUnsafeBytes { if case .message(let message) = inflater.inflated($0) { Array(message) } else { nil } }
    }
}
