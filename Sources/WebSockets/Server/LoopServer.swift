import CLibwebsockets
import Logging

/// A server's part on one loop: its connections, and the owner's handler.
final class LoopServer: @unchecked Sendable {
    let loop: ServiceLoop
    let configuration: WebSocketServer.Configuration
    let admission: Admission
    let handler: any LoopHandler
    /// Fields to read that libwebsockets does not know.
    let extraHeaders: [String]
    private let census: Census
    let limits: Vigil.Limits
    private let deflater = Deflater()
    private let inflater: Inflater
    private var connections: [ServerConnection] = []
    private var isStopping = false
    /// Told when the last connection is gone, while stopping.
    private var onEmpty: (@Sendable () -> Void)?

    init(
        loop: ServiceLoop, configuration: WebSocketServer.Configuration, handler: any LoopHandler, census: Census
    ) {
        self.loop = loop
        self.configuration = configuration
        self.handler = handler
        self.census = census
        extraHeaders = configuration.headers + ["access-control-request-method", "access-control-request-headers"]
        admission = Admission(configuration: configuration)
        inflater = Inflater(limit: configuration.messageLimit, skipLimit: configuration.skipLimit)
        limits = configuration.waits
    }

    /// Takes an accepted descriptor over; it was counted already.
    func adopt(_ descriptor: Int32, from remoteAddress: String, ticket: Turnstile.Ticket) {
        census.tookUp(ticket)
        guard !isStopping else {
            CLibwebsockets.close(descriptor)
            return census.left(ticket)
        }
        let connection = ServerConnection(
            server: self, network: loop.network, remoteAddress: remoteAddress, ticket: ticket)
        connection.index = connections.count
        connections.append(connection)
        connection.watch(for: .head)
        let isAdopted = loop.network.adopt(descriptor, as: connection)
        // One that was bound before it failed is removed when it is destroyed.
        if !isAdopted, connection.lws == nil, connection.index >= 0 { removed(connection) }
    }

    func removed(_ connection: ServerConnection) {
        guard connection.index >= 0, let last = connections.popLast() else { return }
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        connection.index = -1
        loop.network.cancel(connection)
        census.left(connection.ticket)
        if connections.isEmpty { reportEmpty() }
    }

    /// Says goodbye to all. `onEmpty` is called once they are gone, or were cut when `grace` was over.
    func stop(
        goodbye: SharedFrame?, code: UInt16, reason: String, grace: Duration, onEmpty: @escaping @Sendable () -> Void
    ) {
        isStopping = true
        self.onEmpty = onEmpty
        for connection in connections { connection.wind(up: code, reason, goodbye: goodbye) }
        guard !connections.isEmpty else { return reportEmpty() }
        _ = loop.schedule(after: grace) { [weak self] in self?.reportEmpty() }
    }

    private func reportEmpty() {
        guard isStopping, let onEmpty else { return }
        self.onEmpty = nil
        onEmpty()
    }
}

extension LoopServer {
    func refusal(of request: HTTPRequest, _ head: RequestHead) -> HTTPResponse? {
        if let refusal = refusal(of: head) { return refusal }
        if let refusal = admission.refusalOfHost(request.headers) { return refusal }
        let changes = !["GET", "HEAD", "OPTIONS"].contains(request.method)
        return changes ? admission.refusalOfOrigin(request.headers) : nil
    }

    func refusal(of handshake: Handshake, _ head: RequestHead) -> HTTPResponse? {
        refusal(of: head) ?? admission.refusalOfHost(handshake.headers)
            ?? admission.refusalOfHandshake(method: head.method, handshake.headers)
            ?? handler.refusal(of: handshake)
    }

    private func refusal(of head: RequestHead) -> HTTPResponse? {
        if let refusal = configuration.headLimits.refusal(of: head) { return refusal }
        guard head.isMalformed else { return nil }
        return .text(400, "The request's address, or a header, could not be read. Send printable text.")
    }

    func handle(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if let answer = admission.preflight(of: request) { return exchange.answer(answer) }
        handler.request(request, exchange)
    }

    /// With what lets pages of allowed sites read it, and has browsers stay with TLS.
    func decorated(_ response: HTTPResponse, for origin: String?) -> HTTPResponse {
        var response = response
        if configuration.certificate != nil, let duration = configuration.strictTransport {
            response.headers["Strict-Transport-Security"] = "max-age=\(duration.components.seconds)"
        }
        return shared(response, with: origin)
    }

    private func shared(_ response: HTTPResponse, with origin: String?) -> HTTPResponse {
        guard !configuration.allowedOrigins.isEmpty else { return response }
        var response = response
        response.headers.add("Vary", "Origin")
        guard let origin, admission.isAllowed(origin: origin) else { return response }
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = "ETag"
        if response.headers["Cross-Origin-Resource-Policy"] != nil {
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        }
        return response
    }

    func makeSocket(_ connection: ServerConnection, _ handshake: Handshake, compresses: Bool) -> WebSocket {
        WebSocket(
            id: census.nextID(), loop: loop, connection: connection, handshake: handshake,
            deflater: compresses ? deflater : nil)
    }

    func opened(_ socket: WebSocket) {
        handler.opened(socket)
        socket.handshake.headers = HTTPHeaders()
    }

    func closed(_ socket: WebSocket, by closing: Closing) {
        handler.closed(socket, by: closing)
        socket.context = nil
    }

    func received(_ piece: Piece, from socket: WebSocket) {
        socket.connection?.wasHeard = true
        socket.bytesReceived += piece.bytes.count
        guard case .open = socket.state else { return }
        if let fault = socket.fault(of: piece) { return socket.close(fault.code, fault.reason) }
        let limit = socket.isMessageCompressed ? configuration.compressedLimit : configuration.messageLimit
        let step = socket.assembler.add(
            piece.bytes, isFirst: piece.isFirst, isFinal: piece.isFinal, limit: limit,
            skipLimit: max(limit, configuration.skipLimit))
        switch step {
        case .incomplete: break
        case .complete(isWhole: true): finish(piece.bytes, piece, from: socket)
        case .complete(isWhole: false):
            let bytes = socket.assembler.bytes
            socket.assembler.reset()
            bytes.withUnsafeBytes { finish($0, piece, from: socket) }
        case .tooLarge: handler.received(.tooLarge, from: socket)
        case .flood: refuseFlood(of: socket)
        }
    }

    /// A whole message is there, perhaps compressed.
    private func finish(_ bytes: UnsafeRawBufferPointer, _ piece: Piece, from socket: WebSocket) {
        guard socket.isMessageCompressed else { return deliver(bytes, piece, to: socket) }
        switch inflater.inflated(bytes) {
        case .message(let message) where piece.isBinary || UTF8Validator.isValid(message):
            deliver(message, piece, to: socket)
        case .message: socket.close(1007, "text must be UTF-8")
        case .malformed: socket.close(1007, "the message can't be decompressed")
        case .tooLarge: handler.received(.tooLarge, from: socket)
        case .flood: refuseFlood(of: socket)
        }
    }

    private func refuseFlood(of socket: WebSocket) {
        socket.close(1009, "a message may have \(configuration.messageLimit) bytes")
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer, _ piece: Piece, to socket: WebSocket) {
        handler.received(piece.isBinary ? .binary(bytes) : .text(bytes), from: socket)
    }
}
