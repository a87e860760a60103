import WebSockets

/// What the page on which people sign in says, in one language. `#` stands for what is told.
struct SignInWords: Hashable, Sendable {
    /// For the page's `lang`.
    let language: String
    /// The title of the form, and its button.
    let signIn: String
    let signedIn: String
    let token: String
    let hint: String
    /// `#`: the token's name.
    let youAre: String
    let show: String
    let signOut: String
    let wrong: String
    let expired: String
    /// `#`: seconds.
    let tooMany: String
    /// The form was sent by another page.
    let elsewhere: String

    /// Which way it is read.
    var direction: String { language == "ar" ? "rtl" : "ltr" }

    /// Those of the language that a browser prefers (`Accept-Language`, RFC 9110 §12.5.4) among those that the page of the
    /// lists speaks; else English.
    static func preferred(in headers: HTTPHeaders) -> SignInWords {
        let ranges = (headers["Accept-Language"] ?? "").split(separator: ",").compactMap { LanguageRange($0) }
        // The sort is stable by its second part: of those that are wanted alike, the first.
        let wanted = ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return wanted.lazy.compactMap { words(of: $0.element.tag) }.first ?? .english
    }

    /// Nil: of another language.
    private static func words(of tag: [Substring]) -> SignInWords? {
        switch tag.first {
        case "en", "*": .english
        case "de": .german
        case "fr": .french
        case "es": .spanish
        case "ja": .japanese
        case "zh": tag.contains { ["hant", "tw", "hk", "mo"].contains($0) } ? .traditionalChinese : .chinese
        case "ar": .arabic
        default: nil
        }
    }
}

/// One of the languages that a browser names: `de-AT;q=0.9`.
private struct LanguageRange {
    /// Its parts, in lower case.
    let tag: [Substring]
    /// How much it is wanted, from thousandths to 1000.
    let weight: Int

    /// Nil where it is not wanted at all, or is none.
    init?(_ text: some StringProtocol) {
        let parts = text.lowercased().split(separator: ";").map { $0.split(separator: " ").joined() }
        guard let name = parts.first else { return nil }
        let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        guard quality > 0, quality <= 1 else { return nil }
        tag = name.split(separator: "-").map { Substring(String($0)) }
        weight = Int(quality * 1000)
    }
}
