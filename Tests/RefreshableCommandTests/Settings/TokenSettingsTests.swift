import Foundation
import KeyedLists
import RefreshableLists
import Testing

@testable import RefreshableCommand

/// The file of tokens: what it says, and how its faults are explained.
struct TokenSettingsTests {
    private static let digest = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"

    @Test func aFileSaysWhoMayDoWhat() throws {
        let text = """
            - name: kitchen
              sha256: \(Self.digest)
              lists: {fruit: [read, refresh], "*": read, salaries: []}
              expires: 2027-01-31
            - {name: cron, token: "${SECRET}", lists: {board: [push]}}
            - {name: everybody, anonymous: true, lists: {news: [read]}}
            """
        let secret = "sixteen-letters-and-more"
        let settings = try TokenSettings(reading: text, file: "tokens.yaml", environment: ["SECRET": secret])

        let kitchen = try #require(
            AccessToken(
                "kitchen", sha256: Self.digest,
                rights: ["fruit": [.read, .refresh], "*": [.read], "salaries": []],
                expiresAt: Date(milliseconds: 1_801_353_600_000)))
        let cron = AccessToken("cron", secret: secret, rights: ["board": [.push]])
        #expect(settings.access == .tokens([kitchen, cron], anonymous: ["news": [.read]]))
        #expect(settings.secrets.hiding("it is \(secret)") == "it is ${SECRET}")
    }

    @Test(arguments: ["", "# nothing yet\n", "[]"])
    func anEmptyFileLetsNobodyIn(text: String) throws {
        #expect(try TokenSettings(reading: text, file: "tokens.yaml").access == .tokens([]))
    }

    @Test(
        arguments: [
            ("name: a", "t:1:1: tokens: expected tokens, each beginning with \"- name:\", got a mapping"),
            ("- a", "t:1:3: token: expected a mapping with name, sha256, token, anonymous, lists, expires, got \"a\""),
            (
                "- {name: a, sha256: \(digest)}",
                "t:1:3: token.lists: expected lists and what may be done with them, such as {\"*\": [read]}, got nothing"
            ),
            (
                "- {name: a, sha256: abc, lists: {}}",
                "t:1:21: token.sha256: expected 64 hexadecimal digits, as `refreshable token` prints them, got \"abc\""
            ),
            (
                "- {name: a, token: swordfish, lists: {}}",
                "t:1:20: token.token: expected 16 to 512 letters, digits and -._~+/=, got \"*********\""
            ),
            ("- {name: a, lists: {}}", "t:1:3: token: expected one of sha256, token and anonymous, got none"),
            (
                "- {name: a, sha256: \(digest), lists: {fruit: [raed]}}",
                "t:1:103: token.lists.fruit: expected some of read, refresh, act and push, or [], got \"raed\"; did you mean \"read\"?"
            ),
            (
                "- {name: a, anonymous: false, lists: {}}",
                "t:1:24: token.anonymous: expected true, or sha256 or token in its place, got \"false\""
            ),
            (
                "- {name: a, anonymous: true, lists: {}, expires: 2027-01-31}",
                "t:1:50: token.expires: expected an end for tokens alone, got \"2027-01-31\""
            ),
            (
                "- {name: a, anonymous: true, lists: {fruit: [push]}}",
                "t:1:46: token.lists.fruit: expected read, refresh and act alone for those without a token, got \"push\""
            ),
            (
                "- {name: a, sha256: \(digest), lists: {}, expires: soon}",
                "t:1:107: token.expires: expected a day or a time such as 2027-01-31 or 2027-01-31T18:00:00Z, got \"soon\""
            ),
            (
                "- {name: a, sha265: \(digest), lists: {}}",
                "t:1:13: token.sha265: expected a key of a token, got \"sha265\"; did you mean \"sha256\"?"
            ),
            (
                "- {name: a, sha256: \(digest), lists: {}}\n- {name: a, token: sixteen-letters-1, lists: {}}",
                "t:2:10: token.name: expected a name of its own, got that of the token in line 1"
            ),
            (
                "- {name: a, sha256: \(digest), lists: {}}\n- {name: b, sha256: \(digest), lists: {}}",
                "t:2:3: token: expected another secret than those above, got one of theirs"
            ),
        ])
    func aFaultIsExplained(text: String, said: String) {
        let faults = #expect(throws: SettingsFaults.self) { try TokenSettings(reading: text, file: "t") }
        #expect(faults?.lines.contains(said) == true, "\(faults?.lines ?? [])")
    }

    @Test func anEntryThatIsMadeIsReadAsItIsMeant() throws {
        var entry = TokenEntry(name: "kitchen", read: ["*"], act: ["board"], push: ["board"], expires: "2027-01-31")
        let secret = SecretText.random()
        #expect(SecretText.isValid(secret))

        let settings = try TokenSettings(reading: entry.text(secret: secret), file: "tokens.yaml")
        entry = TokenEntry(name: "all")
        let all = try TokenSettings(reading: entry.text(secret: secret), file: "tokens.yaml")

        let token = AccessToken(
            "kitchen", secret: secret, rights: ["*": [.read], "board": [.read, .act, .push]],
            expiresAt: Date(milliseconds: 1_801_353_600_000))
        #expect(settings.access == .tokens([token]))
        #expect(all.access == .tokens([AccessToken("all", secret: secret, rights: ["*": [.read, .refresh]])]))
    }

    @Test(arguments: [
        TokenEntry(name: "My Name"), TokenEntry(name: "a", read: ["no such name"]),
        TokenEntry(name: "a", expires: "soon"), TokenEntry(name: "a\"\n- name: b"),
    ])
    func anEntryThatCannotBeIsFaulty(entry: TokenEntry) {
        #expect(throws: SettingsFaults.self) {
            try TokenSettings(reading: entry.text(secret: SecretText.random()), file: "tokens.yaml")
        }
    }
}
