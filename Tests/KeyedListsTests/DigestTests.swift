import Testing

@testable import KeyedLists

/// The expected numbers are those of zlib's `crc32`.
struct DigestTests {
    @Test(arguments: [
        ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
        ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ])
    func theCheckOfTextsIsThatOfTheStandard(text: String, expected: UInt32) {
        #expect(check(Array(text.utf8)[...]) == expected)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func cutsDoNotChangeTheCheckNorDoesItsOwnDefinition(seed: UInt64) {
        print("cutsDoNotChangeTheCheckNorDoesItsOwnDefinition: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 0...100, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let cut = Int.random(in: 0...bytes.count, using: &random)
        #expect(check(bytes[..<cut], bytes[cut...]) == bitByBit(bytes))
    }

    @Test func anEmptyListHasTheDigestOfNothing() {
        #expect(KeyedList().digest == 0)
    }

    @Test func aDigestIsOfKeyTabFieldsAndLineFeedInOrder() throws {
        var list = KeyedList()
        _ = list.commit([.set(ListRow("é", title: "Ö"), .last), .set(ListRow("b"), .last)], at: 0)
        #expect(list.digest == check(Array("é\t{\"title\":\"Ö\"}\nb\t{}\n".utf8)[...]))
        #expect(list.digest == 0x507D_9226)
    }

    @Test(arguments: ["b a c", "a b", "a b=2 c", "a b c d", "a b x"])
    func otherRowsHaveAnotherDigest(text: String) {
        #expect(KeyedList(text).digest != KeyedList("a b c").digest)
    }

    @Test func aDigestKnowsNothingOfHistoryAndPositions() throws {
        var list = KeyedList("c z b=2 a")
        _ = try list.replace(with: "a b c")
        #expect(list.digest == KeyedList("a b c").digest)
    }

    private func check(_ pieces: ArraySlice<UInt8>...) -> UInt32 {
        var check = CRC32()
        for piece in pieces { piece.withUnsafeBytes { check.update($0) } }
        return check.value
    }

    /// The definition, without a table.
    private func bitByBit(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { register, byte in
            (0..<8).reduce(register ^ UInt32(byte)) { register, _ in
                register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1
            }
        }
    }
}
