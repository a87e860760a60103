import KeyedLists

/// What the rows of a list are called, for pages that say how many are new: “4 new commits”.
public struct Noun: Hashable, Sendable {
    /// The forms that languages have for numbers, as `Intl.PluralRules` and CLDR name them. `other` is never left out.
    public enum Form: String, CaseIterable, Hashable, Sendable, Comparable {
        case zero
        case one
        case two
        case few
        case many
        case other

        /// By their names.
        public static func < (one: Form, other: Form) -> Bool { one.rawValue < other.rawValue }
    }

    /// For pages in any language that `languages` does not name.
    public var forms: [Form: String]
    /// By language, such as `de`.
    public var languages: [String: [Form: String]]

    /// Makes a noun.
    ///
    /// - Parameters:
    ///   - one: of a single row.
    ///   - other: of several.
    public init(_ one: String, _ other: String) {
        self.init(forms: [.one: one, .other: other])
    }

    /// Makes a noun of all its forms.
    public init(forms: [Form: String], languages: [String: [Form: String]] = [:]) {
        self.forms = forms
        self.languages = languages
    }
}

extension Noun {
    /// By language; an empty one is any other.
    func write(to writer: inout JSONWriter) {
        if !forms.isEmpty { writer.object("") { Self.write(forms, to: &$0) } }
        for (language, forms) in languages.sorted(by: { $0.key < $1.key }) {
            writer.name(Key(language))
            writer.beginObject()
            Self.write(forms, to: &writer)
            writer.endObject()
        }
    }

    private static func write(_ forms: [Form: String], to writer: inout JSONWriter) {
        for (form, text) in forms.sorted(by: { $0.key < $1.key }) {
            writer.name(Key(form.rawValue))
            writer.value(text)
        }
    }

    init(_ members: Members) throws(MessageError) {
        self.init(forms: [:])
        for language in members.values.keys {
            let named = try members.object(language)
            var forms: [Form: String] = [:]
            for name in named.values.keys {
                // A form of a later version is none of ours.
                if let form = Form(rawValue: name.string) { forms[form] = try named.string(name) }
            }
            if language.string.isEmpty { self.forms = forms } else { languages[language.string] = forms }
        }
    }
}
