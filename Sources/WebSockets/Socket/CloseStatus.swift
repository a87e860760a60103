/// How a WebSocket ended.
public struct CloseStatus: Sendable {
    /// The code in the Close frame: the peer's if it began, ours if we did; 1005 without one, 1006 if the connection was
    /// lost (RFC 6455 §7.4.1).
    public let code: UInt16
    /// The reason beside the code; often empty.
    public let reason: String
    /// Whether both sides have sent a Close frame, as `CloseEvent.wasClean` in a browser. False for a lost connection, and
    /// where one side broke the protocol, or did not answer.
    public internal(set) var wasClean: Bool
    /// Whether the peer sent a Close frame first.
    package let isFromPeer: Bool

    /// An ending of these parts.
    package init(code: UInt16, reason: String = "", wasClean: Bool, isFromPeer: Bool = false) {
        self.code = code
        self.reason = reason
        self.wasClean = wasClean
        self.isFromPeer = isFromPeer
    }
}

extension CloseStatus: Hashable {
    /// Who began is not compared: others can't see it.
    public static func == (one: CloseStatus, other: CloseStatus) -> Bool {
        one.code == other.code && one.reason == other.reason && one.wasClean == other.wasClean
    }

    /// Of what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(reason)
        hasher.combine(wasClean)
    }
}

extension CloseStatus {
    /// Ours, of a peer that broke RFC 6455 or 7692.
    static func protocolError(_ reason: String) -> CloseStatus {
        CloseStatus(code: 1002, reason: reason, wasClean: false)
    }

    /// The code to count it under: a peer may send thousands of its own, which are all 0 here.
    var countedCode: UInt16 { isFromPeer && !(1000...1015).contains(code) ? 0 : code }

    /// The payload of our Close frame: the code, echoed to a peer that began; else the reason, too.
    var payload: [UInt8] {
        guard code != 1005 else { return [] }
        let code = [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)]
        return isFromPeer ? code : code + reason.cut(toBytes: 123).utf8
    }

    /// How a Close frame's payload breaks the rules, if it does (RFC 6455 §5.5.1, §7.4).
    static func fault(of payload: UnsafeRawBufferPointer) -> CloseStatus? {
        guard !payload.isEmpty else { return nil }
        guard payload.count > 1 else { return protocolError("half a code") }
        guard isCode(UInt16(payload[0]) << 8 | UInt16(payload[1])) else { return protocolError("no code to send") }
        let isText = UTF8Validator.isValid(UnsafeRawBufferPointer(rebasing: payload.dropFirst(2)))
        return isText ? nil : CloseStatus(code: 1007, reason: "text must be UTF-8", wasClean: false)
    }

    /// Whether a peer may send a code: 1004 to 1006 and 1015 never stand in a frame; 3000 and more are for libraries and
    /// applications, 1012 to 1014 registered later (RFC 6455 §7.4.2, IANA).
    private static func isCode(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The payload of a peer's Close frame (RFC 6455 §5.5.1): nothing, or a code and a reason.
    init(payload: UnsafeRawBufferPointer) {
        guard payload.count >= 2 else {
            self.init(code: 1005, wasClean: true, isFromPeer: true)
            return
        }
        let reason = String(decoding: payload.dropFirst(2), as: UTF8.self)
        self.init(
            code: UInt16(payload[0]) << 8 | UInt16(payload[1]), reason: reason, wasClean: true, isFromPeer: true)
    }
}

extension String {
    /// The longest beginning that has at most so many bytes of UTF-8.
    func cut(toBytes limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: limit)
        while String.Index(end, within: self) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }
}
