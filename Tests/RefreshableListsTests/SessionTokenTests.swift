import Testing

@testable import RefreshableLists

struct SessionTokenTests {
    @Test func itIsReadAsItIsShown() {
        for _ in 0..<100 {
            let token = SessionToken.random()
            #expect(token.text.utf8.count == 32)
            #expect(SessionToken(token.text) == token)
        }
    }

    @Test(arguments: [
        "", "nobody", String(repeating: "A", count: 32), String(repeating: "g", count: 32),
        "+" + String(repeating: "1", count: 31), String(repeating: "1", count: 33),
    ])
    func whatNoTokenShowsIsNone(_ text: String) {
        #expect(SessionToken(text) == nil)
    }
}
