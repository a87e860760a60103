import ListProtocol
import Yams

/// One thing that is wrong with a settings file: where, what was expected, what came, and what was perhaps meant.
///
///     lists.yaml:7:13: pull.treshold: expected a key of pull, got "treshold"; did you mean "threshold"?
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
        "\(file):\(line):\(column): \(field): expected \(expected), got \(came)\(advice)"
    }

    private var advice: String {
        switch hint {
        case .word(let word): "; did you mean \"\(word)\"?"
        case .words(let words): "; there are \(words.joined(separator: ", "))"
        case nil: ""
        }
    }
}

/// Everything that is wrong with a settings file, in the order of its lines.
struct SettingsFaults: Error, Hashable, CustomStringConvertible {
    let file: String
    let faults: [SettingsFault]

    /// A line for each fault.
    var lines: [String] { faults.map(\.description) }

    /// How many there are, and in which file.
    var summary: String { Self.summary(faults.count, file) }

    /// As above.
    static func summary(_ count: Int, _ file: String) -> String {
        "\(count == 1 ? "1 fault" : "\(count) faults") in \(file)."
    }

    /// One line per fault, and a summary.
    var description: String { (lines + ["\(summary) Nothing is served."]).joined(separator: "\n") }
}

/// A line and column of a settings file.
struct SettingsPosition: Hashable {
    /// From 1.
    let line: Int
    /// In characters, from 1.
    let column: Int
}

/// Gathers the faults of one settings file while it is read, so that a person sees all of them at once.
final class FaultCollector {
    private typealias Place = (line: Int, column: Int)

    /// The words that were looked for, by place: members of mappings, and words of enumerations.
    private(set) var words: [String: Set<String>] = [:]
    /// What the texts of faults do not repeat.
    var secrets = Secrets()
    private var faults: [(place: Place, field: String, expected: String, came: String, hint: SettingsFault.Hint?)] = []

    /// - Parameters:
    ///   - node: where the fault is; nil: at the start of the file.
    ///   - field: the path within the list, such as `pull.threshold`.
    func add(at node: Node?, _ field: String, expected: String, came: String, hint: SettingsFault.Hint? = nil) {
        faults.append((Self.place(node?.mark), field, expected, came, hint))
    }

    /// Notes that at a place there may be these words.
    func know(_ words: [String], at place: String) { self.words[place, default: []].formUnion(words) }

    /// A text that is no YAML.
    func add(_ problem: YAMLProblem) {
        faults.append(((problem.line, problem.column), "YAML", problem.expected, problem.came, nil))
    }

    /// - Throws: the faults, if there are any.
    func check(file: String) throws(SettingsFaults) {
        guard !faults.isEmpty else { return }
        let sorted = faults.sorted { $0.place < $1.place }
        throw SettingsFaults(
            file: file,
            faults: sorted.map {
                SettingsFault(
                    file: file, line: $0.place.line, column: $0.place.column, field: $0.field, expected: $0.expected,
                    came: secrets.hiding($0.came), hint: $0.hint?.hiding(secrets))
            })
    }

    private static func place(_ mark: Mark?) -> Place {
        mark.map { ($0.line, $0.column) } ?? (1, 1)
    }
}
