import ListProtocol
import WebSockets

/// What clients are told when the server stops: when to come back, spread evenly over some seconds, so that they come as
/// a stream and not as a herd.
enum ShutdownNotice {
    /// Milliseconds over which all come back.
    private static let spread = 8000

    /// The frame for one of several batches, each of which comes back in its own part of the time.
    static func frame(batch: Int, of count: Int) -> SharedFrame {
        let message = ServerMessage.goodbye(
            code: .draining, message: "The server is about to stop.", reconnect: true,
            after: spread * batch / count...spread * (batch + 1) / count)
        return SharedFrame(text: message.encoded())
    }
}
