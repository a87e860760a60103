import Testing
import WebSockets

@testable import RefreshableLists

/// The page on which people sign in speaks the languages of the page of the lists.
struct SignInWordsTests {
    private static let all: [SignInWords] = [
        .english, .german, .french, .spanish, .japanese, .chinese, .traditionalChinese, .arabic,
    ]

    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("de", "de"), ("de-AT, en;q=0.9", "de"), ("DE-ch", "de"),
            ("en-GB, de;q=0.9", "en"),
            ("sv, fr;q=0.4, es;q=0.8", "es"), ("sv, pl", "en"), ("sv, *;q=0.1", "en"), ("de;q=0, fr;q=0.1", "fr"),
            ("ja , de ; q=0.9", "ja"), ("de;q=0.5, fr;q=0.5", "de"), ("zh-CN", "zh-Hans"), ("zh", "zh-Hans"),
            ("zh-TW", "zh-Hant"), ("zh-Hant-HK", "zh-Hant"), ("ar-EG", "ar"), ("deu", "en"), ("de;q=2, es", "es"),
            ("de;q=x, es;q=0.1", "es"), (";;,,=;q", "en"),
        ] as [(String?, String)])
    func aBrowserIsAnsweredInTheLanguageThatItPrefers(accepted: String?, language: String) {
        var headers = HTTPHeaders()
        headers["Accept-Language"] = accepted
        #expect(SignInWords.preferred(in: headers).language == language)
    }

    @Test func everyLanguageSaysAllInItsOwnWords() {
        for words in Self.all.dropFirst() {
            let english = SignInWords.english
            for path in [\SignInWords.signIn, \.signedIn, \.hint, \.show, \.signOut, \.wrong, \.expired, \.elsewhere] {
                #expect(!words[keyPath: path].isEmpty && words[keyPath: path] != english[keyPath: path])
                #expect(!words[keyPath: path].contains("#"), "\(words.language)")
            }
        }
        #expect(Self.all.allSatisfy { $0.youAre.contains("#") && $0.tooMany.contains("#") })
        #expect(Set(Self.all.map(\.language)).count == 8)
    }

    @Test func thePageIsOfOneLanguage() throws {
        let authenticator = Authenticator(.tokens([]), clock: SystemClock())
        let request = HTTPRequest(path: "/sign-in", headers: ["Accept-Language": "ar"])
        let page = try #require(SignIn(authenticator: authenticator, clock: SystemClock()).response(to: request))
        let text = String(decoding: page.body, as: UTF8.self)

        #expect(text.contains(#"<html lang="ar" dir="rtl">"#) && text.contains(SignInWords.arabic.hint))
        #expect(!text.contains("Sign in") && page.headers["Vary"] == "Accept-Language")
    }
}
