import KeyedLists
import Testing

struct EpochTests {
    @Test(arguments: [(0, "0"), (35, "z"), (36, "10"), (UInt64.max, "3w5e11264sgsf")])
    func isWrittenInBase36(value: UInt64, text: String) {
        #expect(Epoch(value).description == text)
        #expect(Epoch(text) == Epoch(value))
    }

    @Test(arguments: ["", "Z", "01", "+1", "-1", " 1", "1 ", "3w5e11264sgsg", "k3f…", "1\u{301}"])
    func anyOtherTextIsNone(_ text: String) {
        #expect(Epoch(text) == nil)
    }

    @Test func twoAreHardlyEverTheSame() {
        #expect(Set((0..<100).map { _ in Epoch.random() }).count == 100)
    }
}
