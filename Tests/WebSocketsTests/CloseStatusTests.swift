import Testing

@testable import WebSockets

@Suite struct CloseStatusTests {
    private static func fault(_ bytes: [UInt8]) -> UInt16? {
        bytes.withUnsafeBytes { CloseStatus.fault(of: $0)?.code }
    }

    @Test(arguments: [1000, 1001, 1003, 1007, 1011, 1014, 3000, 3999, 4000, 4999] as [UInt16])
    func theseCodesMayBeSent(_ code: UInt16) {
        #expect(Self.fault([UInt8(code >> 8), UInt8(code & 255)] + Array("bye".utf8)) == nil)
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535] as [UInt16])
    func theseCodesMayNot(_ code: UInt16) {
        #expect(Self.fault([UInt8(code >> 8), UInt8(code & 255)]) == 1002)
    }

    @Test func nothingMayBeSaidButNotHalfACode() {
        #expect(Self.fault([]) == nil)
        #expect(Self.fault([3]) == 1002)
    }

    @Test func aReasonIsText() {
        #expect(Self.fault([3, 232, 0xC3, 0x28]) == 1007)
    }
}
