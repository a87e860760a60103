/// The sockets of one loop that are writable now, by their descriptors. On the loop's thread alone.
///
/// A broadcast reads eight bytes for each socket here, next to each other, and touches no object of it: after each `send`,
/// the processor has forgotten most of what it had near (Documentation/Decisions/0040).
final class WritableSockets: @unchecked Sendable {
    /// At a descriptor's place its socket, while it is writable. Not owned: a socket takes itself out before it ends.
    private var sockets: [Unmanaged<WebSocket>?] = []

    /// The socket of a target; nil while it may not be sent to, or is gone.
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
    public struct SendTarget: Hashable, @unchecked Sendable {
        let descriptor: Int32
        let isCompressing: Bool
        /// Which socket it is of. Never read through: only compared.
        let socket: UnsafeMutableRawPointer
    }
}
