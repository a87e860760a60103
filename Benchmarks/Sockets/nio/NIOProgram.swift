import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A program on SwiftNIO, as others are on theirs: what is posted to /push is sent to all; any message is answered with one
/// text. Channel handlers on one event loop, which is what SwiftNIO does with the least. It has no compression of messages.
///
///     NIOProgram PORT ANSWER
@main struct NIOProgram {
    static func main() async throws {
        let port = Int(CommandLine.arguments[1]) ?? 0
        let answer = ByteBuffer(string: CommandLine.arguments[2])
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let everybody = Everybody()
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, head in
                var headers = HTTPHeaders()
                if let names = head.headers.first(name: "Sec-WebSocket-Protocol") {
                    headers.add(name: "Sec-WebSocket-Protocol", value: names)
                }
                return channel.eventLoop.makeSucceededFuture(headers)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(SocketHandler(everybody, answer: answer))
                }
            })
        let server = try await ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pushes = PushHandler(everybody)
                    let operations = channel.pipeline.syncOperations
                    let name = "pushes"
                    try operations.configureHTTPServerPipeline(
                        withServerUpgrade: (
                            upgraders: [upgrader],
                            completionHandler: { context in context.pipeline.removeHandler(name: name, promise: nil) }
                        ))
                    try operations.addHandler(pushes, name: name)
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        try await server.closeFuture.get()
    }
}

/// The open sockets. On the one event loop alone.
final class Everybody: @unchecked Sendable {
    private var channels: [ObjectIdentifier: any Channel] = [:]

    func insert(_ channel: any Channel) { channels[ObjectIdentifier(channel)] = channel }

    func remove(_ channel: any Channel) { channels[ObjectIdentifier(channel)] = nil }

    func send(_ text: ByteBuffer) {
        let frame = WebSocketFrame(fin: true, opcode: .text, data: text)
        for channel in channels.values { channel.writeAndFlush(frame, promise: nil) }
    }
}

/// One socket: answers each message.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let everybody: Everybody
    private let answer: ByteBuffer

    init(_ everybody: Everybody, answer: ByteBuffer) {
        self.everybody = everybody
        self.answer = answer
    }

    func handlerAdded(context: ChannelHandlerContext) { everybody.insert(context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary:
            context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: answer)), promise: nil)
        case .ping:
            context.writeAndFlush(
                wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)), promise: nil)
        case .connectionClose: context.close(promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) { everybody.remove(context.channel) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// What is posted goes to all.
final class PushHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let everybody: Everybody
    private var body = ByteBuffer()

    init(_ everybody: Everybody) { self.everybody = everybody }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: body.clear()
        case .body(var part): body.writeBuffer(&part)
        case .end:
            everybody.send(body)
            let head = HTTPResponseHead(version: .http1_1, status: .noContent)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
