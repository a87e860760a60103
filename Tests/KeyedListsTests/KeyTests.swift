import KeyedLists
import Testing

@Suite struct KeyTests {
    @Test func textsThatUnicodeCallsEqualAreTwoKeys() {
        let composed = Key("caf\u{E9}")
        let decomposed = Key("cafe\u{301}")
        #expect(composed.string == decomposed.string)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }
}
