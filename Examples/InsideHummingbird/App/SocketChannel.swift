import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket
import RefreshableLists

/// HTTP/1.1 as Hummingbird speaks it, but for the WebSockets of the lists.
///
///     a connection ── upgrade at /live/ws, signed in ──▶ SocketConnection ──▶ RefreshableServer.serve
///                  └─ anything else ──▶ the router
struct SocketChannel: HTTPChannelHandler {
    enum Connection: Sendable {
        case socket(SocketConnection)
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
    }

    struct Value: ServerChildChannelValue {
        let connection: EventLoopFuture<Connection>
        let channel: any Channel
    }

    let lists: RefreshableServer
    let logins: Logins
    let responder: Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let upgrade = NIOTypedHTTPServerUpgradeConfiguration<Connection>(upgraders: [upgrader]) { channel in
                channel.eventLoop.makeCompletedFuture { .http(try Self.http(on: channel, logger)) }
            }
            var configuration = NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: upgrade)
            configuration.enablePipelining = false
            let pipeline = channel.pipeline.syncOperations
            let connection = try pipeline.configureUpgradableHTTPServerPipeline(configuration: configuration)
            let upgradeHandler = try pipeline.handler(type: NIOTypedHTTPServerUpgradeHandler<Connection>.self)
            try pipeline.addHandler(UpgradeFilter(mayUpgrade: mayUpgrade), position: .before(upgradeHandler))
            return Value(connection: connection, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        let lost: (Result<Void, any Error>) -> Void = { logger.debug("A connection was lost: \($0)") }
        do {
            switch try await value.connection.get() {
            case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
            case .socket(let connection): try await connection.serve(by: lists)
            }
        } catch { lost(.failure(error)) }
    }

    private static func http(
        on channel: any Channel, _ logger: Logger
    ) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try channel.pipeline.syncOperations.addHandler(HTTPConnectionStateHandler(logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    @Sendable private func mayUpgrade(_ head: HTTPRequestHead) -> Bool {
        // A head that can't be read is refused behind this.
        let read = Result { try HTTPRequest(head, secure: false, splitCookie: false) }
        guard case .success(let request) = read else { return false }
        return logins.user(of: request.headerFields) != nil && lists.upgradeFields(for: request) != nil
    }

    private var upgrader: NIOTypedWebSocketServerUpgrader<Connection> {
        NIOTypedWebSocketServerUpgrader(maxFrameSize: SocketConnection.messageLimit) { [lists] channel, head in
            channel.eventLoop.makeCompletedFuture {
                let request = try HTTPRequest(head, secure: false, splitCookie: false)
                return lists.upgradeFields(for: request).map { HTTPHeaders($0) }
            }
        } upgradePipelineHandler: { [logins] channel, head in
            channel.eventLoop.makeCompletedFuture {
                let request = try HTTPRequest(head, secure: false, splitCookie: false)
                try channel.pipeline.syncOperations.addHandler(
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 64,
                        maxAccumulatedFrameSize: SocketConnection.messageLimit))
                let frames = try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(wrappingChannelSynchronously: channel)
                return .socket(
                    SocketConnection(request: request, user: logins.user(of: request.headerFields), channel: frames))
            }
        }
    }
}

/// Leaves `Upgrade` out of a connection's first request, unless it may upgrade: it goes on as any other, and the middleware says
/// why not. NIO's own handler drops the head of a request that its upgrader refuses.
private final class UpgradeFilter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let mayUpgrade: @Sendable (HTTPRequestHead) -> Bool

    init(mayUpgrade: @escaping @Sendable (HTTPRequestHead) -> Bool) { self.mayUpgrade = mayUpgrade }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        if !mayUpgrade(head) { head.headers.remove(name: "Upgrade") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 with the WebSockets of the lists.
    static func http1(withSocketsOf lists: RefreshableServer, _ logins: Logins) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in SocketChannel(lists: lists, logins: logins, responder: responder) }
    }
}
