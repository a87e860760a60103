import CLibwebsockets

/// Sends one frame to many sockets of one loop. What is the same for all of them is computed once.
///
/// ```
/// var broadcast = Broadcast(frame, on: loop)
/// for target in targets where !broadcast.send(to: target) { … }      not writable, or encrypted: by WebSocket.send
/// let bytes = broadcast.end()
/// ```
/// On the loop's thread alone, and only within the call in which it was made.
public struct Broadcast: ~Copyable {
    private let frame: SharedFrame
    private let loop: ServiceLoop
    private let writableSockets: WritableSockets
    private let plain: [UInt8]
    /// nil until the first who agreed to compression.
    private var compressed: [UInt8]?
    private var plainCount = 0
    private var compressedCount = 0

    /// Begins to send a frame.
    public init(_ frame: SharedFrame, on loop: ServiceLoop) {
        loop.preconditionCurrent()
        self.frame = frame
        self.loop = loop
        writableSockets = loop.writableSockets
        plain = frame.bytes
    }

    /// Sends the frame to a socket, as `WebSocket.send` does.
    ///
    /// - Returns: false, and nothing is sent, if that is not possible at once and directly.
    public mutating func send(to sendTarget: WebSocket.SendTarget) -> Bool {
        guard let socket = writableSockets.socket(at: sendTarget) else { return false }
        if sendTarget.isCompressing {
            send(compressed(for: socket), to: sendTarget, of: socket)
            compressedCount += 1
        } else {
            send(plain, to: sendTarget, of: socket)
            plainCount += 1
        }
        return true
    }

    /// Counts what was sent. The last call.
    ///
    /// - Returns: bytes handed to the system or waiting for it.
    public consuming func end() -> Int {
        let large = compressed?.count ?? 0
        loop.counter.statistics.sent(plainCount, bytes: plain.count, whole: plain.count)
        loop.counter.statistics.sent(compressedCount, bytes: large, whole: plain.count)
        return plainCount * plain.count + compressedCount * large
    }

    private func send(_ bytes: [UInt8], to sendTarget: WebSocket.SendTarget, of socket: Unmanaged<WebSocket>) {
        let taken = bytes.withUnsafeBytes { Int(shim_send(sendTarget.descriptor, $0.baseAddress, $0.count)) }
        if taken < bytes.count { socket.takeUnretainedValue().pass(bytes, from: max(0, taken)) }
    }

    private mutating func compressed(for socket: Unmanaged<WebSocket>) -> [UInt8] {
        if let compressed { return compressed }
        let bytes = socket.takeUnretainedValue().form(of: frame)
        compressed = bytes
        return bytes
    }
}
