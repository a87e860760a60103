import Locking

/// Sockets that are sent the same messages, such as those of a chat room.
///
/// ```swift
/// let room = SocketGroup()
/// let server = WebSocketServer(port: 8080) { socket in
///     room.insert(socket)                                    // until it ends
///     for await message in socket { await room.send(SharedFrame(message)) }
/// }
/// ```
/// A frame is encoded once and compressed once, whatever number of sockets it goes to, and written straight to those that can
/// take it. For those that can't, it waits in their queue, up to `WebSocketServer.Configuration.sendLimit` bytes; where that is
/// full, `slowMembers` says what happens. Nobody waits for a slow member.
///
/// From any task; what one task does happens in its order.
public final class SocketGroup: Sendable {
    /// What becomes of a member whose queue is full.
    public enum SlowMembers: Sendable {
        /// It misses this frame, and stays.
        case skip
        /// It is closed with 4101, after what is in its queue.
        case close
    }

    /// What became of a frame.
    public struct Delivery: Hashable, Sendable {
        /// Members that it was sent to, or in whose queue it is.
        public internal(set) var sent = 0
        /// Members that missed it, as their queues were full.
        public internal(set) var skipped = 0

        /// So many.
        package init(sent: Int = 0, skipped: Int = 0) {
            self.sent = sent
            self.skipped = skipped
        }
    }

    private struct State {
        var members: [ObjectIdentifier: LoopMembers] = [:]
        var count = 0
        /// Of the newest frame.
        var number: UInt64 = 0

        mutating func onLoop(_ loop: ServiceLoop) -> LoopMembers {
            let ofLoop = members[ObjectIdentifier(loop)] ?? LoopMembers(loop: loop)
            members[ObjectIdentifier(loop)] = ofLoop
            return ofLoop
        }
    }

    private let slowMembers: SlowMembers
    private let state = Locked(State())

    /// A group without members.
    public init(slowMembers: SlowMembers = .skip) { self.slowMembers = slowMembers }

    /// Members now.
    public var count: Int { state.withLock { $0.count } }

    /// Adds a socket, until it ends or is removed. Harmless twice, and for one that has ended.
    public func insert(_ socket: WebSocket) {
        guard let channel = socket.channel else { return }
        let since = state.withLock { $0.number }
        let isNew = channel.state.withLock { channel in
            let isMember = channel.memberships.contains { $0.group === self }
            guard channel.status == nil, !isMember else { return false }
            channel.memberships.append(MessageChannel.Membership(group: self, since: since))
            return true
        }
        guard isNew else { return }
        let members = state.withLock { state in
            state.count += 1
            return state.onLoop(socket.loop)
        }
        socket.loop.post { [self] in members.update(socket, of: self) }
    }

    /// Removes a socket. Harmless for one that is no member.
    public func remove(_ socket: WebSocket) {
        let wasMember = socket.channel?.state.withLock { channel in
            channel.memberships.firstIndex { $0.group === self }.map { channel.memberships.remove(at: $0) } != nil
        }
        if wasMember == true { leave(socket) }
    }

    /// A member has ended, or was removed.
    func leave(_ socket: WebSocket) {
        let members = state.withLock { state in
            state.count -= 1
            return state.onLoop(socket.loop)
        }
        socket.loop.post { [self] in members.update(socket, of: self) }
    }

    /// Sends a frame to all members. Returns when it is written, or in the queues of those that can't take it now: so who
    /// sends faster than the network's loops write is slowed down.
    ///
    /// - Parameters:
    ///   - frame: made once, for all.
    ///   - sender: a member that is not to get it.
    @discardableResult public func send(_ frame: SharedFrame, except sender: WebSocket? = nil) async -> Delivery {
        let (loops, number) = state.withLock { state in
            state.number += 1
            return (Array(state.members.values), state.number)
        }
        guard !loops.isEmpty else { return Delivery() }
        return await withCheckedContinuation { continuation in
            let gathering = Gathering(of: loops.count, continuation)
            for members in loops {
                members.loop.post { [slowMembers] in
                    members.send(frame, number, except: sender?.id, slowMembers) { gathering.add($0) }
                }
            }
        }
    }

    /// Sends a text message to all members. As `send(_: SharedFrame)`.
    @discardableResult public func send(_ text: String, except sender: WebSocket? = nil) async -> Delivery {
        await send(SharedFrame(text: text), except: sender)
    }
}

/// Adds up what became of a frame on several loops. From any thread.
private final class Gathering: Sendable {
    private let state: Locked<(missing: Int, sum: SocketGroup.Delivery)>
    private let continuation: CheckedContinuation<SocketGroup.Delivery, Never>

    init(of count: Int, _ continuation: CheckedContinuation<SocketGroup.Delivery, Never>) {
        state = Locked((count, SocketGroup.Delivery()))
        self.continuation = continuation
    }

    /// One loop has dealt with it.
    func add(_ part: SocketGroup.Delivery) {
        let whole = state.withLock { state in
            state.missing -= 1
            state.sum.sent += part.sent
            state.sum.skipped += part.skipped
            return state.missing == 0 ? state.sum : nil
        }
        if let whole { continuation.resume(returning: whole) }
    }
}

/// A group's members on one loop. On its thread alone.
private final class LoopMembers: @unchecked Sendable {
    let loop: ServiceLoop
    private struct Member {
        let socket: WebSocket
        /// It gets frames of higher numbers: who joins on one loop after a member on another has got a frame does not get it.
        let since: UInt64
    }

    private var members: [Member] = []
    private var places: [UInt64: Int] = [:]
    /// Members that are sent to before the loop does what else is due.
    private static let sliceSize = 512

    init(loop: ServiceLoop) { self.loop = loop }

    /// Adds or removes a socket, whichever is right now: what several tasks do may come in another order.
    func update(_ socket: WebSocket, of group: SocketGroup) {
        let membership = socket.channel?.state.withLock { channel in channel.memberships.first { $0.group === group } }
        if let membership { insert(socket, since: membership.since) } else { remove(socket) }
    }

    private func insert(_ socket: WebSocket, since: UInt64) {
        guard places[socket.id] == nil else { return }
        places[socket.id] = members.count
        members.append(Member(socket: socket, since: since))
    }

    private func remove(_ socket: WebSocket) {
        guard let place = places.removeValue(forKey: socket.id), let last = members.popLast(), last.socket !== socket
        else {
            return
        }
        members[place] = last
        places[last.socket.id] = place
    }

    func send(
        _ frame: SharedFrame, _ number: UInt64, except sender: UInt64?, _ slowMembers: SocketGroup.SlowMembers,
        whenDone: @escaping @Sendable (SocketGroup.Delivery) -> Void
    ) {
        let reached = members.filter { $0.since < number && $0.socket.id != sender }
        send(frame, to: reached[...], slowMembers, SocketGroup.Delivery(), whenDone)
    }

    private func send(
        _ frame: SharedFrame, to rest: ArraySlice<Member>, _ slowMembers: SocketGroup.SlowMembers,
        _ before: SocketGroup.Delivery,
        _ whenDone: @escaping @Sendable (SocketGroup.Delivery) -> Void
    ) {
        var delivery = before
        var broadcast = Broadcast(frame, on: loop)
        for socket in rest.prefix(Self.sliceSize).lazy.map(\.socket) {
            switch socket.take(frame, by: &broadcast) {
            case true?: delivery.sent += 1
            case false?:
                delivery.skipped += 1
                if case .close = slowMembers { socket.requestClose(4101, "too slow") }
            case nil: break
            }
        }
        _ = broadcast.end()
        let left = rest.dropFirst(Self.sliceSize)
        guard !left.isEmpty else { return whenDone(delivery) }
        loop.post { [self, delivery] in send(frame, to: left, slowMembers, delivery, whenDone) }
    }
}

extension WebSocket {
    /// Sends a frame at once where nothing waits before it, else puts it into the queue. On the loop's thread.
    ///
    /// - Returns: false: the queue is full; nil: the socket takes nothing more.
    fileprivate func take(_ frame: SharedFrame, by broadcast: inout Broadcast) -> Bool? {
        guard let channel else { return nil }
        if channel.state.withLock({ $0.outbox.isEmpty }), let sendTarget, broadcast.send(to: sendTarget) { return true }
        switch channel.state.withLock({ $0.outbox.offer(frame) }) {
        case .queued(let wakes):
            if wakes { flush() }
            return true
        case .full: return false
        case .closed: return nil
        }
    }
}

extension SharedFrame {
    /// A message in one frame.
    public convenience init(_ message: WebSocket.Message) {
        switch message {
        case .text(let text): self.init(text: text)
        case .binary(let bytes): self.init(binary: bytes)
        }
    }
}
