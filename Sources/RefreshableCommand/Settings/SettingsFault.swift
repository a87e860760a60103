import ListProtocol

/// One thing that is wrong with a settings file: where, what was expected, what came, and what was perhaps meant.
///
///     lists.yaml:7:13: pull.treshold: expected a key of pull, came "treshold"; did you mean "threshold"?
struct SettingsFault: Error, Hashable, CustomStringConvertible {
    let file: String
    /// From 1.
    let line: Int
    /// In characters, from 1.
    let column: Int
    /// The field within its list, such as `pull.threshold`.
    let field: String
    let expected: String
    let came: String
    /// A word that would have been right, or a few that would.
    var hint: Hint?

    enum Hint: Hashable {
        /// The nearest right word.
        case word(String)
        /// All right words, where none is near.
        case words([String])

        /// The nearest of the words to another, or all of them if none is near.
        static func nearest(to word: String, in words: [String]) -> Hint {
            Spelling.nearest(to: word, in: words).map { .word($0) } ?? .words(words)
        }

        /// Without values that came from the environment.
        func hiding(_ secrets: Secrets) -> Hint {
            switch self {
            case .word(let word): .word(secrets.hiding(word))
            case .words(let words): .words(words.map(secrets.hiding))
            }
        }
    }

    var description: String {
        "\(file):\(line):\(column): \(field): expected \(expected), came \(came)\(advice)"
    }

    private var advice: String {
        switch hint {
        case .word(let word): "; did you mean \"\(word)\"?"
        case .words(let words): "; there are \(words.joined(separator: ", "))"
        case nil: ""
        }
    }
}
