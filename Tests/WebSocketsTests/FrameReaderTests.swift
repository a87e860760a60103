import Testing

@testable import WebSockets

@Suite struct FrameReaderTests {
    private static let hello = Array("hello".utf8)

    private static func read(_ bytes: [UInt8], isCompressing: Bool = false) -> [FrameTranscript.Entry] {
        FrameTranscript(bytes, isCompressing: isCompressing).entries
    }

    private static func message(_ payload: [UInt8], isBinary: Bool = false) -> [FrameTranscript.Entry] {
        [.begin(isBinary: isBinary, isCompressed: false)] + (payload.isEmpty ? [] : [.payload(payload)]) + [.end]
    }

    // MARK: What is read

    @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 127, 65_535, 65_536])
    func aMessageOfAnyLengthIsUnmasked(_ length: Int) {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(Self.read(RawPeer.frame(opcode: 2, payload)) == Self.message(payload, isBinary: true))
    }

    @Test func aMessageMayComeInFramesWithOthersBetweenThem() {
        let bytes =
            RawPeer.frame(opcode: 1, Array("he".utf8), isFinal: false) + RawPeer.frame(opcode: 9, [1, 2])
            + RawPeer.frame(opcode: 0, [], isFinal: false) + RawPeer.frame(opcode: 10, [])
            + RawPeer.frame(opcode: 0, Array("llo".utf8)) + RawPeer.frame(opcode: 8, [3, 232])
        #expect(
            Self.read(bytes) == [
                .begin(isBinary: false, isCompressed: false), .payload(Array("he".utf8)), .ping([1, 2]), .pong,
                .payload(Array("llo".utf8)), .end, .close([3, 232]),
            ])
    }

    @Test func aMarkedFrameBeginsACompressedMessage() {
        let bytes = RawPeer.frame(opcode: 0x41, [1], isFinal: false) + RawPeer.frame(opcode: 0, [2])
        #expect(
            Self.read(bytes, isCompressing: true) == [
                .begin(isBinary: false, isCompressed: true), .payload([1, 2]), .end,
            ])
    }

    @Test func payloadIsHandedOutAsItComes() {
        let frame = RawPeer.frame(opcode: 1, Self.hello)
        #expect(
            Self.read(frame.dropLast(2)) == [.begin(isBinary: false, isCompressed: false), .payload(Array("hel".utf8))])
    }

    @Test func piecesPointIntoTheBytesThatWereHandedIn() {
        var reader = FrameReader(isCompressing: false)
        var bytes = RawPeer.frame(opcode: 1, Self.hello)
        bytes.withUnsafeMutableBytes { bytes in
            var position = 0
            guard case .piece(let piece)? = reader.next(bytes, &position) else {
                Issue.record("no piece")
                return
            }
            #expect(piece.bytes.baseAddress == bytes.baseAddress.map { UnsafeRawPointer($0 + 6) })
            #expect(position == bytes.count && piece.isFirst && piece.isFinal)
        }
    }

    @Test func aSocketKeepsFewBytesForIt() { #expect(MemoryLayout<FrameReader>.size <= 32) }

    // MARK: However it is cut

    private static let dialogue: [UInt8] =
        RawPeer.frame(opcode: 1, hello) + RawPeer.frame(opcode: 9, Array("ping".utf8))
        + RawPeer.frame(opcode: 2, [UInt8](repeating: 7, count: 130), isFinal: false) + RawPeer.frame(opcode: 10, [])
        + RawPeer.frame(opcode: 0, []) + RawPeer.frame(opcode: 8, [3, 232] + hello)

    @Test func aCutChangesNothing() {
        let whole = PlainFrames(Self.dialogue, isCompressing: false).transcript
        for cut in 1..<Self.dialogue.count {
            var lengths = [cut]
            #expect(FrameTranscript(Self.dialogue) { lengths.popLast() ?? .max } == whole, "cut at \(cut)")
        }
    }

    @Test func piecesOfAnyLengthChangeNothing() {
        let whole = FrameTranscript(Self.dialogue)
        for length in 1...30 { #expect(FrameTranscript(Self.dialogue, pieces: { length }) == whole, "\(length)") }
    }

    /// Frames that are mostly as they should be, with a byte changed here and there.
    @Test(arguments: 0..<60) func randomFramesAreReadAsTheRFCSays(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes: [UInt8] = [UInt8.random(in: 0...1, using: &random)]
        var isInMessage = false
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let isControl = Int.random(in: 0..<3, using: &random) == 0
            let isFinal = isControl || Bool.random(using: &random)
            let opcode: UInt8 =
                isControl
                ? UInt8.random(in: 8...10, using: &random) : isInMessage ? 0 : UInt8.random(in: 1...2, using: &random)
            if !isControl { isInMessage = !isFinal }
            let length = [0, 1, 5, 125, isControl ? 8 : 126, isControl ? 9 : 300].randomElement(using: &random) ?? 0
            let payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes += RawPeer.frame(opcode: opcode, payload, isFinal: isFinal)
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        #expect(FrameCheck.fault(of: bytes) == nil, "seed \(seed)")
    }

    // MARK: What is refused

    @Test(arguments: [0, 1, 2, 8, 9, 10] as [UInt8], [0, 1, 125]) func aFrameWithoutAMask(
        _ opcode: UInt8, _ length: Int
    ) {
        let bytes = RawPeer.frame(opcode: opcode, [UInt8](repeating: 0, count: length), isMasked: false)
        #expect(Self.read(bytes) == [.fault("frames of a client must be masked")])
    }

    @Test(
        arguments: [
            ([0xA1, 0x80], "RSV2 and RSV3 have no meaning here"), ([0x91, 0x80], "RSV2 and RSV3 have no meaning here"),
            ([0xC1, 0x80], "RSV1 is set, but no compression was agreed upon"),
            ([0x80, 0x80], "no message goes on"), ([0x00, 0x80], "no message goes on"),
            ([0x83, 0x80], "an unknown opcode"), ([0x87, 0x80], "an unknown opcode"),
            ([0x8B, 0x80], "an unknown opcode"),
            ([0x8F, 0x80], "an unknown opcode"),
            ([0x09, 0x80], "a control frame is one frame"), ([0x08, 0x80], "a control frame is one frame"),
            ([0x89, 0xFE], "a control frame has at most 125 bytes"),
            ([0x88, 0xFF], "a control frame has at most 125 bytes"),
            ([0x82, 0xFE, 0, 125], "a length has as few bytes as it needs"),
            ([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], "a length has as few bytes as it needs"),
            ([0x82, 0xFF, 0x80, 0, 0, 0, 0, 1, 0, 0], "a length has at most 63 bits"),
        ] as [([UInt8], String)])
    func aHeadThatBreaksARuleIsRefusedAtOnce(_ bytes: [UInt8], _ reason: String) {
        #expect(Self.read(bytes) == [.fault(reason)])
        #expect(Self.read(bytes.dropLast()) == [])
    }

    @Test(arguments: [0x40, 0x48, 0x49, 0x4A] as [UInt8]) func aMarkWhereNoMessageBegins(_ opcode: UInt8) {
        let begun = RawPeer.frame(opcode: 1, [], isFinal: false)
        #expect(
            Self.read(begun + RawPeer.frame(opcode: opcode, []), isCompressing: true).last
                == .fault("RSV1 is for a message's first frame"))
    }

    @Test func aMessageWithinAMessage() {
        let bytes = RawPeer.frame(opcode: 1, [1], isFinal: false) + RawPeer.frame(opcode: 2, [2])
        #expect(Self.read(bytes).last == .fault("the message before is not whole"))
    }
}
