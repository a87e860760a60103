import Testing

@testable import RefreshableCommand

struct SecretsTests {
    @Test
    func aValueIsReplacedByItsName() {
        var secrets = Secrets()
        secrets.note("correct-horse", of: "TOKEN")
        #expect(secrets.hiding("401 for Bearer correct-horse!") == "401 for Bearer ${TOKEN}!")
        #expect(secrets.hiding("correct-horsecorrect-horse") == "${TOKEN}${TOKEN}")
        #expect(secrets.hiding("nothing") == "nothing")
    }

    @Test
    func aValueIsFoundInAURLAndLineByLine() {
        var secrets = Secrets()
        secrets.note("a b&c/d", of: "TOKEN")
        secrets.note("first line\nsecond line", of: "KEY")
        #expect(secrets.hiding("https://x/?t=a%20b%26c%2Fd") == "https://x/?t=${TOKEN}")
        #expect(secrets.hiding("it begins with first line") == "it begins with ${KEY}")
    }

    @Test
    func theLongerOfTwoValuesIsHiddenWhole() {
        var secrets = Secrets()
        secrets.note("horse", of: "SHORT")
        secrets.note("correct-horse", of: "LONG")
        #expect(secrets.hiding("correct-horse, horse") == "${LONG}, ${SHORT}")
    }

    @Test
    func aValueOfThreeCharactersIsNoSecret() {
        var secrets = Secrets()
        secrets.note("abc", of: "TOKEN")
        #expect(secrets.hiding("abc") == "abc")
    }
}
