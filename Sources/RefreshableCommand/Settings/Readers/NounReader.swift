import ListProtocol
import Yams

/// Reads what the rows of a list are called: the forms of a noun, or those of several languages.
struct NounReader {
    /// Those that the page speaks.
    private static let languages = ["ar", "de", "en", "es", "fr", "ja", "zh"]
    private static let forms = Noun.Form.allCases.map(\.rawValue)
    private static let length = 64

    private let list: MappingReader
    private let faults: FaultCollector

    init(_ list: MappingReader, _ faults: FaultCollector) {
        self.list = list
        self.faults = faults
    }

    func read() -> Noun? {
        guard let node = list["noun"],
            let reader = MappingReader(node, path: "noun", of: "noun", keys: Self.forms + Self.languages, faults)
        else { return nil }
        reader.reportUnknownKeys()
        var noun = Noun(forms: forms(of: reader))
        for language in Self.languages {
            guard let node = reader[language],
                let inner = MappingReader(node, path: "noun.\(language)", of: language, keys: Self.forms, faults)
            else { continue }
            inner.reportUnknownKeys()
            noun.languages[language] = required(forms(of: inner), inner)
        }
        if noun.languages.isEmpty || !noun.forms.isEmpty { noun.forms = required(noun.forms, reader) }
        return noun
    }

    private func forms(of reader: MappingReader) -> [Noun.Form: String] {
        var forms: [Noun.Form: String] = [:]
        for form in Noun.Form.allCases {
            guard let text = reader.text(form.rawValue) else { continue }
            if text.isEmpty || text.utf8.count > Self.length {
                reader.fault(form.rawValue, expected: "a text of 1 to \(Self.length) bytes")
            }
            forms[form] = text
        }
        return forms
    }

    /// Every number has a form if `other` is there.
    private func required(_ forms: [Noun.Form: String], _ reader: MappingReader) -> [Noun.Form: String] {
        if forms[.other] == nil, reader["other"] == nil { reader.fault("other", expected: "a text", came: "none") }
        return forms
    }
}
