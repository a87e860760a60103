import KeyedLists
import Testing

struct KeyTests {
    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("\u{212B}", "A\u{30A}"), ("a\u{301}\u{323}", "a\u{323}\u{301}")])
    func textsThatUnicodeCallsEqualAreTwoKeys(text: String, other: String) {
        let composed = Key(text)
        let decomposed = Key(other)
        #expect(composed.string == decomposed.string)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func aListKeepsSuchRowsApart() {
        var list = KeyedList()
        let commit = list.commit([.set(ListRow("\u{E9}"), .last), .set(ListRow("e\u{301}"), .last)], at: 0)
        #expect(commit?.changes == ChangeCounts(inserted: 2))
        #expect(list.rows.map { Array($0.key.string.utf8) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
    }

    @Test(arguments: ["", "a", "exactly8", "exactly 15 byte", "sixteen bytes ok", "a longer text, in UTF-8: \u{1F600}"])
    func equalBytesAreOneKey(_ text: String) {
        let copy = Key(String(decoding: Array(text.utf8), as: UTF8.self))
        #expect(Key(text) == copy)
        #expect(Key(text).hashValue == copy.hashValue)
        #expect(Key(text) != Key(text + "\u{0}"))
        #expect(Key(text) != Key("x" + text.dropFirst()) || text.isEmpty || text.first == "x")
    }

    @Test func anyByteMakesADifference() {
        let text = Array("0123456789abcdefghi".utf8)
        for offset in text.indices {
            var other = text
            other[offset] ^= 1
            #expect(Key(text.text) != Key(other.text), "at byte \(offset)")
        }
    }

    @Test func keysAreInTheOrderOfTheirBytes() {
        let texts = [
            "", "\u{0}", "0123456", "01234567", "012345678", "01234567\u{0}", "1", "9", "a", "row10", "row9", "z", "é",
            "\u{1F600}", "\u{FF5E}",
            "0123456789abcdef", "0123456789abcdeg", "0123456789abcdefg",
        ]
        for text in texts {
            for other in texts {
                #expect((Key(text) < Key(other)) == text.utf8.lexicographicallyPrecedes(other.utf8), "\(text) \(other)")
            }
        }
    }
}
