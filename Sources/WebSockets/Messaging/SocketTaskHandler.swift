import HTTPTypes
import Logging

/// What a server is to do, in tasks: with each socket, with requests, and with those who want to open sockets.
struct ServerBehavior: Sendable {
    /// Run for each socket; the socket ends with it.
    var serve: @Sendable (WebSocket) async throws -> Void
    /// Decides whether a WebSocket is opened: nil accepts, a response refuses.
    var upgrade: (@Sendable (ServerRequest) async -> ServerResponse?)?
    /// Nil: there are WebSockets alone.
    var routes: HTTPRoutes?
}

/// Serves one loop's sockets and requests by tasks: makes a channel for each socket, and moves messages between the two.
final class SocketTaskHandler: LoopHandler {
    private let loop: ServiceLoop
    private let tasks: TaskRegistry
    private let behavior: ServerBehavior
    private let limits: MessageChannel.Limits
    private let messageLimit: Int

    init(
        loop: ServiceLoop, tasks: TaskRegistry, behavior: ServerBehavior, configuration: WebSocketServer.Configuration
    ) {
        self.loop = loop
        self.tasks = tasks
        self.behavior = behavior
        limits = MessageChannel.Limits(
            inbox: .init(messages: configuration.receiveLimit.messages, bytes: configuration.receiveLimit.bytes),
            outbox: configuration.sendLimit)
        messageLimit = configuration.messageLimit
    }

    // MARK: Sockets

    func laterRefusal(of handshake: Handshake) -> (@Sendable () async -> HTTPResponse?)? {
        guard let upgrade = behavior.upgrade else { return nil }
        let request = ServerRequest(handshake)
        return { [loop] in await upgrade(request).map { HTTPResponse($0, on: loop) } }
    }

    func channel(for handshake: Handshake) -> MessageChannel? {
        MessageChannel(limits: limits, request: ServerRequest(handshake), subprotocol: handshake.subprotocol)
    }

    func opened(_ socket: WebSocket) {
        tasks.add { [serve = behavior.serve, logger = loop.logger] in
            do {
                try await serve(socket)
                socket.requestClose(1000)
            } catch is CancellationError {
                socket.requestClose(1001)
            } catch SocketError.closed {
                // The peer has left while it was sent to: what its messages' end says, too.
                socket.requestClose(1000)
            } catch {
                logger.error("A socket ended by an error.", metadata: ["error": "\(error)", "socket": "\(socket.id)"])
                socket.requestClose(1011)
            }
        }
    }

    func received(_ message: WebSocketMessage, from socket: WebSocket) {
        socket.take(message, limit: messageLimit)
    }

    func becameWritable(_ socket: WebSocket) { socket.flush() }

    func closed(_ socket: WebSocket, by closing: CloseStatus) { socket.channelEnded(by: closing) }

    // MARK: Requests

    func bodyPlan(for request: HTTPRequest) -> BodyPlan { behavior.routes?.bodyPlan(for: request) ?? .discard }

    func request(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard let routes = behavior.routes else { return exchange.answer(.socketsAlone) }
        if let file = routes.file(for: request) { return exchange.answer(file) }
        let isHead = request.method == "HEAD"
        let request = ServerRequest(request)
        let id = tasks.add { [loop] in
            let response = await Self.answer(to: request, by: routes, loop.logger)
            let answer = HTTPResponse(response, on: loop)
            exchange.answer(answer)
            guard let stream = answer.stream, case .stream(let write) = response.body, !isHead else { return }
            await Self.write(stream, write, loop.logger)
        }
        exchange.whenAbandoned { [tasks] in tasks.cancel(id) }
    }

    private static func answer(
        to request: ServerRequest, by routes: HTTPRoutes, _ logger: Logger
    ) async -> ServerResponse {
        do {
            return try await routes.respond(to: request)
        } catch {
            if !(error is CancellationError) {
                logger.error(
                    "A request ended by an error.", metadata: ["error": "\(error)", "path": "\(request.path)"])
            }
            return .text("The server could not answer this request.\n", .internalServerError)
        }
    }

    /// Runs what makes a body, in a task of its own: it is cancelled when nobody wants the body any more.
    private static func write(
        _ stream: ResponseStream, _ write: @escaping @Sendable (BodyWriter) async throws -> Void, _ logger: Logger
    ) async {
        let writing = Task {
            do {
                try await write(BodyWriter(stream: stream))
                stream.finish()
            } catch is CancellationError {
                stream.finish()
            } catch SocketError.closed {
                stream.abort()
            } catch {
                logger.error("An answer ended by an error.", metadata: ["error": "\(error)"])
                stream.abort()
            }
        }
        stream.whenUnwanted { writing.cancel() }
        await withTaskCancellationHandler {
            await writing.value
        } onCancel: {
            writing.cancel()
        }
    }
}

extension WebSocket {
    /// Copies a message that came to where tasks take it. On the loop's thread.
    func take(_ message: WebSocketMessage, limit: Int) {
        switch message {
        case .text(let bytes): deliver(.text(String(decoding: bytes, as: UTF8.self)), size: bytes.count)
        case .binary(let bytes): deliver(.binary(Array(bytes)), size: bytes.count)
        case .tooLarge: close(1009, "a message may have \(limit) bytes")
        }
    }
}

extension HTTPResponse {
    /// With what a 426 must have (RFC 9110 §15.5.22).
    fileprivate static var socketsAlone: HTTPResponse {
        var response = HTTPResponse.text(426, "Here are WebSockets alone. Open one, as with ws://.")
        response.headers["Upgrade"] = "websocket"
        return response
    }
}
