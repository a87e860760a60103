import Yams

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
