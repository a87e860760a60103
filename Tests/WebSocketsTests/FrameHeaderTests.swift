import Testing

@testable import WebSockets

@Suite struct FrameHeaderTests {
    private func judge(_ bytes: [UInt8], length: Int, opcode: UInt8 = 1) -> Bool {
        // As in a receive buffer: something stands before the header.
        let buffer = [UInt8](repeating: 0, count: 16) + bytes + [UInt8](repeating: 0x61, count: length)
        return buffer.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return false }
            return FrameHeader.isUnmasked(before: base + 16 + bytes.count, length: length, opcode: opcode)
        }
    }

    @Test(arguments: [1, 125, 126, 65_535, 65_536, 70_000])
    func aHeaderWithoutAKeyIsSeen(_ length: Int) {
        let frame = SharedFrame(opcode: .text, payload: [UInt8](repeating: 0, count: length))
        #expect(judge(Array(frame.bytes.prefix(frame.bytes.count - length)), length: length))
    }

    @Test(arguments: [1, 125, 126, 65_535, 65_536, 70_000])
    func aHeaderWithAnyKeyIsFine(_ length: Int) {
        for key in [0, 0x0581, UInt32.max, 0x8181_8181] {
            let frame = SharedFrame(opcode: .text, masking: [UInt8](repeating: 0, count: length), key: key)
            #expect(!judge(Array(frame.bytes.prefix(frame.bytes.count - length)), length: length))
        }
    }

    @Test func aKeyThatLooksLikeAHeaderIsFine() {
        // The last two bytes of the key read like the header of an unmasked frame of five bytes.
        #expect(!judge([0x81, 0x85, 0x00, 0x00, 0x81, 0x05], length: 5))
    }

    @Test func anotherKindOrLengthIsNotJudged() {
        #expect(!judge([0x82, 0x05], length: 5))
        #expect(!judge([0x81, 0x06], length: 5))
        #expect(!judge([0x81, 0x00], length: 0))
    }
}
