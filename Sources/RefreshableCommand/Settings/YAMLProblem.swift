import Yams

/// Explains a YAML syntax error to the person who wrote the file.
struct YAMLProblem {
    /// From 1.
    private(set) var line = 1
    /// In characters, from 1.
    private(set) var column = 1
    private(set) var expected = "YAML"
    private(set) var came: String

    /// - Parameter text: what was read.
    init(_ error: any Error, in text: String) {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            came = context.map { "\(problem) (\($0.text))" } ?? problem
            place(mark)
            explain(problem, context, in: text)
        case .duplicatedKeysInMapping(let keys, let context):
            expected = "each key once"
            came = "\(keys.map { "\"\($0)\"" }.joined(separator: ", ")) twice"
            place(context.mark)
            findSecond(keys.first ?? "", in: text)
        case .reader(let problem, _, _, _): came = problem
        default: came = "\(error)"
        }
    }

    private mutating func place(_ mark: Mark?) {
        guard let mark else { return }
        line = mark.line
        column = mark.column
    }

    /// Turns libyaml's scanner and parser errors into what people did: a tab, a colon, a bracket.
    private mutating func explain(_ problem: String, _ opened: YamlError.Context?, in text: String) {
        let context = opened?.text ?? ""
        switch problem {
        case let tab where tab.hasPrefix("found a tab character"):
            (expected, came) = ("blanks in front of a line", "a tab")
        case "found character that cannot start any token": explainCharacter(in: text)
        case "mapping values are not allowed in this context":
            (expected, came) = ("quotes around a text with a colon and a blank in it", "a second colon in the line")
        case "could not find expected ':'":
            (expected, came) = ("a key and a colon", "a line without a colon")
        case "did not find expected key", "did not find expected '-' indicator":
            explainRest(in: text)
        case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
            let end = problem.contains("]") ? "]" : "}"
            let opening = opened?.mark.line ?? line
            (expected, came) = ("a comma or the \(end) that ends what line \(opening) opened", "neither")
        case "did not find expected node content" where context.contains("flow"):
            (expected, came) = ("the ] or } that ends what was opened", "the end of the file")
        case "found unexpected end of stream" where context.contains("quoted"):
            (expected, came) = ("the quote that ends this text", "the end of the file")
            place(opened?.mark)
        case "found undefined alias", "did not find expected alphabetic or numeric character":
            let mark = context.contains("anchor") ? "&" : "*"
            (expected, came) = ("quotes around a text that begins with \(mark)", "one without")
        case "found unknown escape character", "did not find expected hexdecimal number":
            (expected, came) = ("a backslash to be written twice, or 'single quotes' around it", "one backslash")
        case "but found another document": (expected, came) = ("one document", "another after ---")
        default: break
        }
    }

    private mutating func explainCharacter(in text: String) {
        let character = character(in: text)
        if character == "\t" {
            (expected, came) = ("blanks in front of a line", "a tab")
        } else if let character {
            (expected, came) = ("quotes around a text that begins with \(character)", "one without")
        }
    }

    /// A key was expected: the indentation differs, or the line continues after its value, as in `title: {a} {b}`.
    private mutating func explainRest(in text: String) {
        if let end = faultyLine(of: text).prefix(column - 1).last(where: { $0 != " " && $0 != "-" }) {
            (expected, came) = ("quotes around the whole text", "one that goes on after \(end)")
        } else {
            (expected, came) = ("a line that begins where the lines above it do", "one that begins elsewhere")
        }
    }

    private func character(in text: String) -> Character? { faultyLine(of: text).dropFirst(column - 1).first }

    private func faultyLine(of text: String) -> Substring {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.contains(line - 1) ? lines[line - 1] : ""
    }

    /// Yams reports where the mapping begins. The mistake is the second of the keys.
    private mutating func findSecond(_ key: String, in text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var count = 0
        for number in lines.indices.dropFirst(line - 1) {
            let indented = lines[number].drop { $0 == " " || $0 == "-" }
            guard indented.hasPrefix("\(key):") else { continue }
            count += 1
            if count == 2 {
                line = number + 1
                column = lines[number].count - indented.count + 1
                return
            }
        }
    }
}
