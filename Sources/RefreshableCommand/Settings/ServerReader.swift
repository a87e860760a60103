import Yams

/// Reads how the lists are served, where flags and the environment say nothing.
///
/// ```yaml
/// server:
///   host: 0.0.0.0
///   port: 8080
///   allowHosts: [lists.example.org]
///   pushToken: "${PUSH_TOKEN}"
/// ```
struct ServerReader {
    private let reader: MappingReader
    private let faults: FaultCollector

    /// Nil, and a fault, if the node is no mapping.
    init?(_ node: Node, _ faults: FaultCollector) {
        let keys = ServeSettings.Name.allCases.map(\.rawValue)
        guard let reader = MappingReader(node, path: "server", of: "server", keys: keys, faults) else { return nil }
        self.reader = reader
        self.faults = faults
    }

    /// What is said, by name; each was found good by itself.
    func read() -> [ServeSettings.Name: String] {
        reader.reportUnknownKeys()
        var values: [ServeSettings.Name: String] = [:]
        for name in ServeSettings.Name.allCases where reader[name.rawValue] != nil {
            guard let text = text(name) else { continue }
            values[name] = text
            do {
                _ = try ServeSettings(.init(), environment: [:], file: [name: text])
            } catch {
                // A token is not repeated, and of several only the one that is wrong.
                let came = name == .pushToken || name.isPlural ? error.came.quoted : nil
                reader.fault(name.rawValue, expected: error.expected, came: came)
            }
        }
        return values
    }

    private func text(_ name: ServeSettings.Name) -> String? {
        guard name.isPlural, let sequence = reader[name.rawValue]?.sequence else { return reader.text(name.rawValue) }
        let texts = sequence.map { node in
            if node.text == nil {
                faults.add(at: node, "server.\(name.rawValue)", expected: "a text", came: node.summary)
            }
            return node.text ?? ""
        }
        return texts.joined(separator: ",")
    }
}
