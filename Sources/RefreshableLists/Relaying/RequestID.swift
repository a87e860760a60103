/// Finds the message again that a request for a run is answered to.
struct RequestID: Hashable, Sendable {
    var socket: UInt64
    var messageID: String?
    /// The gesture that asked, if it was one.
    var gesture: Int?
}
