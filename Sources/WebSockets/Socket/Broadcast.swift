import CLibwebsockets
import CPlatform

/// Sends one frame to many sockets of one loop. What is the same for all of them is computed once.
///
/// ```
/// var broadcast = Broadcast(frame, on: loop)
/// for target in targets where !broadcast.send(to: target) { … }      not writable, or encrypted: by WebSocket.send
/// let bytes = broadcast.end()
/// ```
/// On the loop's thread alone, and only within the call in which it was made.
package struct Broadcast: ~Copyable {
    private let frame: SharedFrame
    private let loop: ServiceLoop
    private let writableSockets: WritableSockets
    private let plain: [UInt8]
    /// nil until the first who agreed to compression.
    private var compressed: [UInt8]?
    private var plainCount = 0
    private var compressedCount = 0

    /// Begins to send a frame.
    package init(_ frame: SharedFrame, on loop: ServiceLoop) {
        loop.preconditionCurrent()
        self.frame = frame
        self.loop = loop
        writableSockets = loop.writableSockets
        plain = frame.bytes
    }

    /// Sends the frame to a socket, as `WebSocket.send` does.
    ///
    /// - Returns: false, and nothing is sent, if that is not possible at once and directly.
    package mutating func send(to sendTarget: WebSocket.SendTarget) -> Bool {
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
    package consuming func end() -> Int {
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

/// The sockets of one loop that are writable now, by their descriptors. On the loop's thread alone.
///
/// A broadcast reads eight bytes for each socket here, next to each other, and touches no object of it: after each `send`,
/// the processor has forgotten most of what it had near (Documentation/Decisions/07).
final class WritableSockets: @unchecked Sendable {
    /// At a descriptor's place its socket, while it is writable. Not owned: a socket takes itself out before it ends.
    private var sockets: [Unmanaged<WebSocket>?] = []

    /// The socket of a target; nil if it may not be sent to, or has ended.
    func socket(at sendTarget: WebSocket.SendTarget) -> Unmanaged<WebSocket>? {
        let place = Int(sendTarget.descriptor)
        guard place < sockets.count, let socket = sockets[place] else { return nil }
        // The system gives a descriptor again to another; its socket has another send target.
        return socket.toOpaque() == sendTarget.socket ? socket : nil
    }

    /// A socket may be sent to from now on.
    func open(_ sendTarget: WebSocket.SendTarget) {
        let place = Int(sendTarget.descriptor)
        if place >= sockets.count {
            sockets += repeatElement(nil, count: max(256, place + 1, 2 * sockets.count) - sockets.count)
        }
        sockets[place] = .fromOpaque(sendTarget.socket)
    }

    /// A socket may not be sent to.
    func close(_ sendTarget: WebSocket.SendTarget) {
        if socket(at: sendTarget) != nil { sockets[Int(sendTarget.descriptor)] = nil }
    }
}

extension WebSocket {
    /// A socket as a `Broadcast` needs to know it, without touching the object.
    package struct SendTarget: Hashable, @unchecked Sendable {
        let descriptor: Int32
        let isCompressing: Bool
        /// Which socket it is of. Never read through: only compared.
        let socket: UnsafeMutableRawPointer
    }
}
