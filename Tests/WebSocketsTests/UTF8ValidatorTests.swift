import Testing

@testable import WebSockets

@Suite(.onThreadOfItsOwn, .timeLimit(.minutes(1))) struct UTF8ValidatorTests {
    /// The bytes in pieces of one length.
    private func isValid(_ bytes: [UInt8], inPiecesOf size: Int) -> Bool {
        var validator = UTF8Validator()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(start + size, bytes.count)]
            guard piece.withUnsafeBytes({ validator.takes($0) }) else { return false }
        }
        return validator.isComplete
    }

    @Test(arguments: [
        "", "plain", "twelve plain letters and more", "é", "κόσμε", "日本語", "😀", "a\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}",
        "\u{10000}\u{10FFFF}", "\u{D7FF}\u{E000}", "eight by, é then",
    ])
    func textIsValidInPiecesOfAnyLength(_ text: String) {
        for size in 1...9 { #expect(isValid(Array(text.utf8), inPiecesOf: size), "\(size)") }
    }

    @Test(arguments: [
        [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xED, 0xA0, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xF0, 0x9F, 0x98],
    ])
    func whatIsNoTextIsNotValid(_ bytes: [UInt8]) {
        for size in 1...9 {
            #expect(!isValid(bytes, inPiecesOf: size))
            #expect(!isValid(Array("eight by".utf8) + bytes, inPiecesOf: size))
        }
        #expect(!isValid(bytes + Array("eight by".utf8), inPiecesOf: 100))
    }

    @Test func itAgreesWithTheStandardLibrary() {
        for lead in UInt8.min...UInt8.max {
            let differing = stride(from: UInt8.min, to: UInt8.max, by: 7).filter { second in
                ([[], [0x80], [0x80, 0xBF], [0x41]] as [[UInt8]]).contains { rest in
                    let bytes = [lead, second] + rest
                    return isValid(bytes, inPiecesOf: 8) != (String(validating: bytes, as: UTF8.self) != nil)
                }
            }
            #expect(differing.isEmpty, "\(lead)")
        }
    }
}
