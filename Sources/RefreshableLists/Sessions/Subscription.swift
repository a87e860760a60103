import WebSockets

/// A watch's entry in a topic: all that a broadcast needs to know of it.
///
/// Subscriptions lie next to each other, in the order in which they are served, so that a broadcast reads memory in order.
struct Subscription {
    let watch: Watch
    /// Its socket's; nil where frames go another way.
    let sendTarget: WebSocket.SendTarget?
    /// What it was sent last.
    var place = WatchPosition()
    /// Whether what it is sent next follows from its place alone: it is attached, and nothing waits that is its own.
    var isPlain = false
    /// Whether its session has felt a gesture.
    var hasPulls: Bool
}
