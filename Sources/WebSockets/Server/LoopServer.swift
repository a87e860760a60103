import CLibwebsockets
import Logging

/// A server's part on one loop: its connections, and the owner's handler.
final class LoopServer: @unchecked Sendable {
    let loop: ServiceLoop
    let configuration: WebSocketServer.Configuration
    let originPolicy: OriginPolicy
    let forwarding: Forwarding
    let handler: any LoopHandler
    private let counts: ConnectionCounts
    let bodies: BodyBudget
    let limits: ConnectionTimeouts.Limits
    private let lagMonitor: LoopLagMonitor
    private let deflater = Deflater()
    let receiver: MessageReceiver
    private var connections: [ServerConnection] = []
    private var isStopping = false
    private var bufferBudget: BufferBudget
    /// Whether a connection will soon have to be closed.
    private var isRelieving = false
    /// Called when the last connection has ended, while stopping.
    private var onEmpty: (@Sendable () -> Void)?

    init(
        loop: ServiceLoop, configuration: WebSocketServer.Configuration, handler: any LoopHandler,
        counts: ConnectionCounts,
        bodies: BodyBudget, bufferBudget: BufferBudget
    ) {
        self.loop = loop
        self.configuration = configuration
        self.handler = handler
        self.counts = counts
        self.bodies = bodies
        self.bufferBudget = bufferBudget
        forwarding = Forwarding(proxies: configuration.proxies)
        originPolicy = OriginPolicy(configuration: configuration)
        receiver = MessageReceiver(
            messageLimit: configuration.messageLimit, skipLimit: configuration.skipLimit, counter: loop.counter
        ) { [unowned handler] message, socket in handler.received(message, from: socket) }
        limits = configuration.waits
        lagMonitor = LoopLagMonitor(loop: loop) { handler.lagged(by: $0) }
    }

    /// Begins to measure.
    func start() { lagMonitor.start() }

    /// Takes an accepted descriptor over; it was counted already.
    func adopt(_ descriptor: Int32, from remoteAddress: String, slot: AdmissionControl.ConnectionSlot) {
        counts.tookUp(slot)
        guard !isStopping else {
            CLibwebsockets.close(descriptor)
            return counts.left(slot)
        }
        let connection = ServerConnection(
            server: self, remoteAddress: remoteAddress, slot: slot)
        connection.index = Int32(connections.count)
        connections.append(connection)
        loop.counter.statistics.acceptedConnections += 1
        loop.counter.statistics.connections = connections.count
        connection.watch(for: .head)
        let isAdopted = loop.network.adopt(descriptor, as: connection)
        // One that was bound before it failed is removed when it is destroyed.
        if !isAdopted, connection.lws == nil, connection.index >= 0 { removed(connection) }
    }

    func removed(_ connection: ServerConnection) {
        guard connection.index >= 0, let last = connections.popLast() else { return }
        if last !== connection {
            connections[Int(connection.index)] = last
            last.index = connection.index
        }
        connection.index = -1
        loop.counter.statistics.connections = connections.count
        loop.network.cancel(connection)
        counts.left(connection.slot)
        if connections.isEmpty { reportEmpty() }
    }

    /// A connection holds so many bytes more than before, or fewer.
    func held(_ difference: Int) {
        guard bufferBudget.change(by: difference), difference > 0, !isRelieving else { return }
        isRelieving = true
        // Whoever calls is in the midst of what came in, or goes out.
        loop.post { [weak self] in self?.relieve() }
    }

    private func relieve() {
        isRelieving = false
        for place in bufferBudget.givingWay(connections.map { Int($0.held) }).map({ connections[$0] }) {
            refused(.memory, from: place.remoteAddress)
            place.giveWay()
        }
    }

    /// Says goodbye to all, a batch after another. `onEmpty` is called once they are gone, or were cut when `grace` after
    /// the last one was over.
    func stop(
        goodbye: WebSocketServer.ShutdownNotice?, code: UInt16, reason: String, grace: Duration,
        onEmpty: @escaping @Sendable () -> Void
    ) {
        isStopping = true
        self.onEmpty = onEmpty
        lagMonitor.stop()
        guard !connections.isEmpty else { return reportEmpty() }
        let batches = stride(from: 0, to: connections.count, by: Self.batchSize).map { start in
            Array(connections[start..<min(start + Self.batchSize, connections.count)])
        }
        let goodbyes = batches.indices.map { goodbye?($0, batches.count) }
        dismiss(batches[...], grace: grace) { connection, batch in
            connection.wind(up: code, reason, goodbye: goodbyes[batch])
        }
    }

    /// Sockets that are closed at once; between two batches, the loop does what else is due.
    private static let batchSize = 256
    private static let batchPause = Duration.milliseconds(10)

    private func dismiss(
        _ batches: ArraySlice<[ServerConnection]>, grace: Duration,
        _ windUp: @escaping @Sendable (ServerConnection, Int) -> Void
    ) {
        guard let batch = batches.first else {
            _ = loop.schedule(after: grace) { [weak self] in self?.reportEmpty() }
            return
        }
        for connection in batch { windUp(connection, batches.startIndex) }
        _ = loop.schedule(after: Self.batchPause) { [weak self] in
            self?.dismiss(batches.dropFirst(), grace: grace, windUp)
        }
    }

    private func reportEmpty() {
        guard isStopping, let onEmpty else { return }
        self.onEmpty = nil
        onEmpty()
    }
}

extension LoopServer {
    func refusal(of request: HTTPRequest) -> HTTPResponse? {
        guard let (reason, refusal) = reasonedRefusal(of: request) else { return nil }
        refused(reason, from: request.remoteAddress, path: request.path)
        return refusal
    }

    func refusal(of handshake: Handshake, method: String) -> HTTPResponse? {
        guard let (reason, refusal) = reasonedRefusal(of: handshake, method) else { return nil }
        refused(reason, from: handshake.remoteAddress, path: handshake.path)
        return refusal
    }

    /// Counts a rejection, and notifies the owner.
    func refused(_ reason: Refusal, from address: String, path: String = "") {
        loop.counter.statistics.refusals[reason, default: 0] += 1
        handler.refused(reason, from: address, path: path)
    }

    private func reasonedRefusal(of request: HTTPRequest) -> (Refusal, HTTPResponse)? {
        if let refusal = originPolicy.refusalOfHost(request.headers) { return (.host, refusal) }
        let changes = !["GET", "HEAD", "OPTIONS"].contains(request.method)
        return changes ? originPolicy.refusalOfOrigin(request.headers).map { (.origin, $0) } : nil
    }

    private func reasonedRefusal(of handshake: Handshake, _ method: String) -> (Refusal, HTTPResponse)? {
        if let refusal = originPolicy.refusalOfHost(handshake.headers) { return (.host, refusal) }
        if let refusal = originPolicy.refusalOfHandshake(method: method, handshake.headers) {
            return (originPolicy.refusalOfOrigin(handshake.headers) == refusal ? .origin : .handshake, refusal)
        }
        return handler.refusal(of: handshake).map { (.owner, $0) }
    }

    func handle(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if let answer = originPolicy.preflight(of: request) { return exchange.answer(answer) }
        handler.request(request, exchange)
    }

    /// With what lets pages of allowed sites read it, and has browsers stay with TLS.
    func decorated(_ response: HTTPResponse, for origin: String?) -> HTTPResponse {
        var response = response
        if configuration.certificate != nil, let duration = configuration.strictTransport {
            response.headers["Strict-Transport-Security"] = "max-age=\(duration.components.seconds)"
        }
        return originPolicy.shared(response, with: origin)
    }

    func makeSocket(_ connection: ServerConnection, _ handshake: Handshake, compresses: Bool) -> WebSocket {
        WebSocket(
            id: counts.nextID(), loop: loop, connection: connection, handshake: handshake,
            deflater: compresses ? deflater : nil, channel: handler.channel(for: handshake))
    }

    func opened(_ socket: WebSocket) {
        loop.counter.statistics.openedSockets += 1
        loop.counter.statistics.sockets += 1
        handler.opened(socket)
        socket.handshake.headers = HTTPHeaders()
    }

    func closed(_ socket: WebSocket, by closing: CloseStatus) {
        loop.counter.statistics.closedSockets[closing.countedCode, default: 0] += 1
        loop.counter.statistics.sockets -= 1
        handler.closed(socket, by: closing)
        socket.context = nil
    }
}
