/// Puts the messages of one loop's sockets together, decompresses and checks them. On the loop's thread alone.
final class MessageReceiver {
    private let messageLimit: Int
    private let skipLimit: Int
    private let counter: LoopCounter
    private let inflater: Inflater
    private let deliver: (WebSocketMessage, WebSocket) -> Void

    /// - Parameters:
    ///   - messageLimit: bytes of a whole message, decompressed.
    ///   - skipLimit: bytes of a message longer than the limit that are skipped before it is closed with 1009.
    ///   - deliver: gets each message; its bytes are gone when it returns.
    init(
        messageLimit: Int, skipLimit: Int, counter: LoopCounter,
        deliver: @escaping (WebSocketMessage, WebSocket) -> Void
    ) {
        self.messageLimit = messageLimit
        self.skipLimit = skipLimit
        self.counter = counter
        self.deliver = deliver
        inflater = Inflater(limit: messageLimit, skipLimit: skipLimit)
    }

    /// Takes a piece of a message.
    func received(_ piece: Fragment, from socket: WebSocket) {
        socket.bytesReceived += piece.bytes.count
        counter.statistics.receivedBytes += piece.bytes.count
        guard case .open = socket.state else { return }
        guard socket.isText(piece) else { return socket.close(1007, "text must be UTF-8") }
        let limit = piece.isCompressed ? compressedLimit : messageLimit
        let step = socket.assembler.add(
            piece.bytes, isFirst: piece.isFirst, isFinal: piece.isFinal, limit: limit,
            skipLimit: max(limit, skipLimit))
        switch step {
        case .incomplete: socket.noteHeld()
        case .complete(isWhole: true): finish(piece.bytes, piece, from: socket)
        case .complete(isWhole: false):
            let bytes = socket.assembler.bytes
            socket.assembler.reset()
            socket.noteHeld()
            bytes.withUnsafeBytes { finish($0, piece, from: socket) }
        case .tooLarge:
            socket.noteHeld()
            deliver(.tooLarge, socket)
        case .flood: refuseFlood(of: socket)
        }
    }

    /// Bytes that a message of `messageLimit` may have compressed: what can't be compressed grows by up to an eighth and a
    /// sixty-fourth (zlib's deflateBound for the least memory).
    private var compressedLimit: Int { messageLimit + messageLimit / 4 + 64 }

    /// A whole message is there, perhaps compressed.
    private func finish(_ bytes: UnsafeRawBufferPointer, _ piece: Fragment, from socket: WebSocket) {
        guard piece.isCompressed else { return pass(bytes, piece, to: socket) }
        switch inflater.inflated(bytes) {
        case .message(let message) where piece.isBinary || UTF8Validator.isValid(message):
            pass(message, piece, to: socket)
        case .message: socket.close(1007, "text must be UTF-8")
        case .malformed: socket.close(1007, "the message can't be decompressed")
        case .tooLarge: deliver(.tooLarge, socket)
        case .flood: refuseFlood(of: socket)
        }
    }

    private func refuseFlood(of socket: WebSocket) { socket.close(1009, "a message may have \(messageLimit) bytes") }

    private func pass(_ bytes: UnsafeRawBufferPointer, _ piece: Fragment, to socket: WebSocket) {
        counter.statistics.receivedMessages += 1
        deliver(piece.isBinary ? .binary(bytes) : .text(bytes), socket)
    }
}
