import Testing

@testable import WebSockets

/// On threads of their own: they reckon for long.
@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct DeflateTests {
    private static func text(_ count: Int) -> [UInt8] {
        Array((0...count / 20).map { "{\"key\":\"row \($0)\"},      " }.joined().utf8.prefix(count))
    }

    private func deflated(_ payload: [UInt8]) throws -> [UInt8] {
        try #require(payload.withUnsafeBytes { Deflater().deflated($0) })
    }

    private func outcome(_ payload: [UInt8], by inflater: Inflater = Inflater(limit: 1000, skipLimit: 4000)) -> String {
        payload.withUnsafeBytes { payload in
            switch inflater.inflated(payload) {
            case .message(let bytes): "message " + String(decoding: bytes, as: UTF8.self)
            case .tooLarge: "tooLarge"
            case .flood: "flood"
            case .malformed: "malformed"
            }
        }
    }

    // MARK: Deflating

    @Test(arguments: [600, 5000, 100_000]) func whatIsDeflatedComesBackWhole(_ count: Int) throws {
        let deflater = Deflater()
        let inflater = Inflater(limit: 100_000, skipLimit: 100_000)
        let text = Self.text(count)
        for _ in 0..<3 {
            let payload = try #require(text.withUnsafeBytes { deflater.deflated($0) })
            #expect(payload.count < text.count / 3)
            #expect(outcome(payload, by: inflater) == "message " + String(decoding: text, as: UTF8.self))
        }
    }

    @Test func eachIsDeflatedByItself() {
        let deflater = Deflater()
        let payloads = (0..<2).map { _ in Self.text(2000).withUnsafeBytes { deflater.deflated($0) } }
        #expect(payloads[0] != nil)
        #expect(payloads[0] == payloads[1])
    }

    @Test func whatWouldNotBeSmallerIsLeft() {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(noise.withUnsafeBytes { Deflater().deflated($0) } == nil)
        let frame = SharedFrame(binary: noise)
        #expect(frame.bytes(compressedBy: Deflater()) == frame.bytes)
    }

    // MARK: Frames

    @Test func aFrameIsDeflatedOnceForAll() async {
        let frame = SharedFrame(text: Self.text(50_000))
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let deflater = Deflater()
                    for _ in 0..<100 { _ = frame.bytes(compressedBy: deflater) }
                    return deflater.count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(counts == 1)
    }

    @Test func whatCanNotBeMadeSmallerIsTriedOnce() {
        let frame = SharedFrame(binary: (0..<3000).map { _ in UInt8.random(in: 0...255) })
        let deflater = Deflater()
        for _ in 0..<10 { #expect(frame.bytes(compressedBy: deflater) == frame.bytes) }
        #expect(deflater.count == 1)
    }

    @Test func aSmallFrameStaysPlain() {
        let deflater = Deflater()
        let small = SharedFrame(text: [UInt8](repeating: 0x61, count: 511))
        #expect(small.bytes(compressedBy: deflater) == small.bytes)
        #expect(deflater.count == 0)
        let large = SharedFrame(text: [UInt8](repeating: 0x61, count: 512))
        #expect(large.bytes(compressedBy: deflater).count < 30)
        #expect(deflater.count == 1)
    }

    @Test func aCompressedFrameSaysSoInItsHeader() throws {
        let text = Self.text(60_000)
        let payload = try deflated(text)
        let bytes = SharedFrame(text: text).bytes(compressedBy: Deflater())
        #expect(Array(bytes.prefix(4)) == [0xC1, 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)])
        #expect(Array(bytes.dropFirst(4)) == payload)
        #expect(SharedFrame(binary: text).bytes(compressedBy: Deflater())[0] == 0xC2)
    }

    // MARK: Inflating

    @Test(arguments: [
        // The examples of RFC 7692 §7.2.3: compressed, without compression, with a last block, in two blocks.
        [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
        [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
        [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
        [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
        // A last block that nothing follows.
        [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
    ])
    func helloIsInflated(_ payload: [UInt8]) {
        #expect(outcome(payload) == "message Hello")
    }

    @Test(arguments: [[], [0x00], [0x02, 0x00]] as [[UInt8]]) func anEmptyMessageIsInflated(_ payload: [UInt8]) {
        #expect(outcome(payload) == "message ")
    }

    @Test(arguments: [
        [0xFF], [0x07], [0x00, 0x05, 0x00, 0x00, 0x00, 0x48], Array("plain text".utf8),
        // A block that promises more than there is.
        [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65],
        // A distance that leads before the beginning.
        [0x4A, 0x04, 0x13, 0x00, 0x00],
    ])
    func whatIsNoDeflateIsMalformed(_ payload: [UInt8]) {
        #expect(outcome(payload) == "malformed")
    }

    @Test func aMessageThatEndsEarlyIsMalformed() throws {
        let text = (0..<400).map { UInt8(0x61 + ($0 &* 7919 >> 3) % 26) }
        let payload = try deflated(text)
        #expect(outcome(payload) == "message " + String(decoding: text, as: UTF8.self))
        for cut in 1..<payload.count - 1 { #expect(outcome(Array(payload.prefix(cut))) == "malformed", "\(cut)") }
    }

    @Test func nothingOfOneMessageIsSeenByTheNext() throws {
        let inflater = Inflater(limit: 1000, skipLimit: 4000)
        #expect(outcome([0xFF], by: inflater) == "malformed")
        #expect(outcome(try deflated([UInt8](repeating: 0x61, count: 5000)), by: inflater) == "flood")
        #expect(outcome([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], by: inflater) == "message Hello")
        // "Hello" again by a look back at the message before (RFC 7692 §7.2.3.2), which nobody agreed to.
        #expect(outcome([0xF2, 0x00, 0x11, 0x00, 0x00], by: inflater) == "malformed")
    }

    @Test(arguments: [
        (1000, "message"), (1001, "tooLarge"), (4000, "tooLarge"), (4001, "flood"), (10_000_000, "flood"),
    ])
    func theLimitHoldsForWhatComesOut(_ count: Int, _ expected: String) throws {
        let payload = try deflated([UInt8](repeating: 0x61, count: count))
        #expect(outcome(payload).hasPrefix(expected))
    }

    @Test func randomBytesNeverEndTheProcess() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SplitMix(state: seed)
        let inflater = Inflater(limit: 1000, skipLimit: 4000)
        for _ in 0..<5000 {
            let count = Int.random(in: 0..<60, using: &random)
            let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = outcome(payload, by: inflater)
        }
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
