/// Ends a socket whose peer takes not one byte for as long as the server allows (30 s): close code 4101.
///
/// It exists only while a frame is partly sent. A slow reader that takes a byte now and then stays.
final class StallWatch: @unchecked Sendable {
    private let socket: WebSocket
    private let limit: Duration
    private var timer: LoopTimer?
    private var acknowledged: Int64?

    init?(socket: WebSocket) {
        guard let connection = socket.connection else { return nil }
        self.socket = socket
        limit = connection.server.configuration.stallLimit
        acknowledged = connection.bytesAcknowledged
        arm()
    }

    func end() {
        timer?.cancel()
        timer = nil
    }

    private func arm() {
        timer = socket.loop.schedule(after: limit) { [weak self] in self?.check() }
    }

    private func check() {
        let now = socket.connection?.bytesAcknowledged
        if let now, let acknowledged, now > acknowledged {
            self.acknowledged = now
            return arm()
        }
        socket.drop(Closing(code: 4101, reason: "too slow", wasClean: false))
    }
}
