@testable import WebSockets

/// RFC 6455 §5 once more, word for word and a byte at a time, over all bytes at once: what `FrameReader` is held to.
struct PlainFrames {
    private let bytes: [UInt8]
    private let isCompressing: Bool
    private var place = 0
    private var isInMessage = false
    private(set) var transcript = FrameTranscript([])

    init(_ bytes: [UInt8], isCompressing: Bool) {
        self.bytes = bytes
        self.isCompressing = isCompressing
        while frame() {}
    }

    /// false: there is no other, or not all of it, or none that is allowed.
    private mutating func frame() -> Bool {
        guard bytes.count - place >= 2 else { return false }
        let first = bytes[place]
        let second = bytes[place + 1]
        let opcode = Int(first & 15)
        if let fault = fault(first, second, opcode) { return refuse(fault) }
        let size = [126: 2, 127: 8][Int(second & 127)] ?? 0
        guard bytes.count - place >= 2 + size else { return false }
        let digits = bytes[(place + 2)..<(place + 2 + size)]
        if size == 8, digits.first! >= 128 { return refuse("a length has at most 63 bits") }
        let length = size == 0 ? Int(second & 127) : digits.reduce(0) { $0 * 256 + Int($1) }
        if size == 2 && length < 126 || size == 8 && length < 65_536 {
            return refuse("a length has as few bytes as it needs")
        }
        let start = place + 2 + size + 4
        guard bytes.count >= start else { return false }
        let key = Array(bytes[(start - 4)..<start])
        let there = min(length, bytes.count - start)
        let payload = (0..<there).map { bytes[start + $0] ^ key[$0 % 4] }
        guard opcode < 8 else {
            guard there == length else { return false }
            transcript.add(opcode == 8 ? .close(payload) : opcode == 9 ? .ping(payload) : .pong)
            place = start + length
            return true
        }
        // What has only a head so far is nothing yet.
        guard length == 0 || there > 0 else { return false }
        if !isInMessage || opcode > 0 {
            transcript.add(.begin(isBinary: opcode == 2, isCompressed: first & 64 > 0))
        }
        isInMessage = first < 128
        transcript.add(payload)
        guard there == length else { return false }
        if !isInMessage { transcript.add(.end) }
        place = start + length
        return true
    }

    private func fault(_ first: UInt8, _ second: UInt8, _ opcode: Int) -> String? {
        if first & 0x30 > 0 { return "RSV2 and RSV3 have no meaning here" }
        if second < 128 { return "frames of a client must be masked" }
        if first & 64 > 0, !isCompressing { return "RSV1 is set, but no compression was agreed upon" }
        if first & 64 > 0, opcode != 1, opcode != 2 { return "RSV1 is for a message's first frame" }
        if opcode == 0, !isInMessage { return "no message goes on" }
        if opcode == 1 || opcode == 2, isInMessage { return "the message before is not whole" }
        if opcode > 10 || opcode > 2 && opcode < 8 { return "an unknown opcode" }
        if opcode > 7, first < 128 { return "a control frame is one frame" }
        if opcode > 7, second & 127 > 125 { return "a control frame has at most 125 bytes" }
        return nil
    }

    private mutating func refuse(_ fault: String) -> Bool {
        transcript.add(.fault(fault))
        return false
    }
}
