import ListProtocol
import Testing

struct SpellingTests {
    @Test(
        arguments: [
            ("abcdef", "abcdex"), ("ABCDEX", "abcdex"), ("abcedx", "abcdex"), ("tiem", "time"), ("tme", "time"),
            ("timee", "time"), ("xyz", nil), ("", nil),
        ] as [(String, String?)])
    func theNearestWordWins(typed: String, meant: String?) {
        #expect(Spelling.nearest(to: typed, in: ["abcdxx", "abcdex", "time"]) == meant)
    }
}
