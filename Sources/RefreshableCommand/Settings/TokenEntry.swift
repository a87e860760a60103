import RefreshableLists
import WebSockets

/// An entry of a file of tokens, as it is written: what `TokenReader` reads.
struct TokenEntry {
    var name: String
    /// Lists, or `*`. Where all three are empty, every list may be read and refreshed.
    var read: [String] = []
    var refresh: [String] = []
    var push: [String] = []
    var expires: String?

    /// Lists and texts are written as YAML reads any text: in quotes.
    func text(secret: String) -> String {
        var lines = ["- name: \(quoted(name))", "  sha256: \(SHA256Digest(of: secret).hexadecimal)"]
        if let expires { lines.append("  expires: \(quoted(expires))") }
        lines.append("  lists:")
        for (list, rights) in rights {
            lines.append("    \(quoted(list)): [\(rights.map(\.rawValue).joined(separator: ", "))]")
        }
        return lines.joined(separator: "\n")
    }

    private var rights: [(list: String, rights: [AccessRight])] {
        let said: [(AccessRight, [String])] = [(.read, read), (.refresh, refresh), (.push, push)]
        let names = Set(said.flatMap(\.1))
        guard !names.isEmpty else { return [("*", [.read, .refresh])] }
        // What is said of all lists is meant of those, too, of which more is said.
        return names.sorted().map { name in
            (name, said.filter { $0.1.contains(name) || $0.1.contains("*") }.map(\.0))
        }
    }

    private func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
