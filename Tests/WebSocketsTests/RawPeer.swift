import Glibc

/// A blocking TCP client that sends exactly the bytes a test wants. Every call gives up after ten seconds.
final class RawPeer: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Frame: Equatable {
        var opcode: UInt8
        var payload: [UInt8]
        var isFinal = true
        /// RSV1: the message is compressed.
        var isMarked = false

        /// The code of a Close frame.
        var code: Int? { payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
    }

    private(set) var descriptor: Int32

    init(port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // A connection that a signal interrupted goes on by itself (connect(2)); the first send waits for it.
        guard status == 0 || errno == EINTR else {
            throw Failure(description: "connect: \(String(cString: strerror(errno)))")
        }
    }

    deinit { hangUp() }

    func hangUp() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    /// As much as the system takes without waiting.
    func sendAtOnce(_ bytes: [UInt8]) -> Int {
        max(0, Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)))
    }

    /// Whether the system takes more within half a second.
    func canSendSoon() -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return Glibc.poll(&poll, 1, 500) > 0
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Up to `count` bytes; empty at the end of the stream, also when it was reset.
    func read(upTo count: Int = 65536) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        var received = recv(descriptor, &buffer, count, 0)
        // With a time-out set, a signal ends the call (signal(7)).
        while received < 0, errno == EINTR { received = recv(descriptor, &buffer, count, 0) }
        if received < 0, errno == ECONNRESET { return [] }
        guard received >= 0 else { throw Failure(description: "recv: \(String(cString: strerror(errno)))") }
        return Array(buffer.prefix(received))
    }

    func read(exactly count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try read(upTo: min(65536, count - bytes.count))
            guard !more.isEmpty else { throw Failure(description: "end of stream after \(bytes.count) of \(count)") }
            bytes += more
        }
        return bytes
    }

    /// Everything until the peer closes.
    func readToEnd() throws -> String {
        var bytes: [UInt8] = []
        while case let more = try read(), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A response's head, without the empty line.
    func readHead() throws -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let byte = try read(upTo: 1)
            guard !byte.isEmpty else {
                throw Failure(description: "no whole head: \(String(decoding: bytes, as: UTF8.self))")
            }
            bytes += byte
        }
        return String(decoding: bytes.dropLast(4), as: UTF8.self)
    }

    /// A response with a Content-Length.
    func readResponse() throws -> (head: String, body: String) {
        let head = try readHead()
        let length = head.split(separator: "\r\n").compactMap { line -> Int? in
            line.lowercased().hasPrefix("content-length:") ? Int(line.dropFirst(15).drop { $0 == " " }) : nil
        }
        let body = try read(exactly: length.first ?? 0)
        return (head, String(decoding: body, as: UTF8.self))
    }

    static func handshake(_ extra: String = "", path: String = "/ws") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\(extra)\r\n"
    }

    @discardableResult func shakeHands(_ extra: String = "") throws -> String {
        try send(Self.handshake(extra))
        let head = try readHead()
        guard head.hasPrefix("HTTP/1.1 101") else { throw Failure(description: "refused: \(head)") }
        return head
    }

    func sendFrame(opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, isMasked: Bool = true) throws {
        try send(Self.frame(opcode: opcode, payload, isFinal: isFinal, isMasked: isMasked))
    }

    func sendText(_ text: String) throws { try sendFrame(opcode: 1, Array(text.utf8)) }

    static func frame(opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, isMasked: Bool = true) -> [UInt8] {
        let mask: UInt8 = isMasked ? 0x80 : 0
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        switch payload.count {
        case ..<126: bytes.append(mask | UInt8(payload.count))
        case ..<65536: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: bytes += [mask | 127] + withUnsafeBytes(of: UInt64(payload.count).bigEndian) { Array($0) }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [0x12, 0xA4, 0x5B, 0xF0]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 & 3] }
    }

    func readFrame() throws -> Frame {
        let head = try read(exactly: 2)
        var length = Int(head[1] & 0x7F)
        if length == 126 { length = try read(exactly: 2).reduce(0) { $0 << 8 | Int($1) } }
        if length == 127 { length = try read(exactly: 8).reduce(0) { $0 << 8 | Int($1) } }
        return Frame(
            opcode: head[0] & 15, payload: try read(exactly: length), isFinal: head[0] & 0x80 != 0,
            isMarked: head[0] & 0x40 != 0)
    }
}
