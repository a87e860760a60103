import Yams

/// Reads how the lists are served, where flags and the environment say nothing.
///
/// ```yaml
/// server:
///   host: 0.0.0.0
///   port: 8080
///   allowHosts: [lists.example.org]
///   pushToken: "${PUSH_TOKEN}"
///   tls: {certificate: chain.pem, key: key.pem, redirect: 8080}
/// ```
struct ServerReader {
    private let reader: MappingReader
    private let names: [ServeSettings.Name]
    private let faults: FaultCollector

    /// Nil, and a fault, if the node is no mapping.
    init?(_ node: Node, _ faults: FaultCollector) {
        names = ServeSettings.Name.allCases.filter { !ServeSettings.Name.ofTLS.contains($0) }
        let keys = names.map(\.rawValue) + ["tls"]
        guard let reader = MappingReader(node, path: "server", of: "server", keys: keys, faults) else { return nil }
        self.reader = reader
        self.faults = faults
    }

    /// The values by name; each was validated by itself.
    func read() -> [ServeSettings.Name: String] {
        let values = read(names, in: reader)
        guard let node = reader["tls"] else { return values }
        let keys = ServeSettings.Name.ofTLS.map(\.rawValue)
        guard let tls = MappingReader(node, path: "server.tls", of: "tls", keys: keys, faults) else { return values }
        for name in ["certificate", "key"] where tls[name] == nil && !tls.hasUnknownKey {
            tls.fault(name, expected: "a file: TLS needs both, certificate and key")
        }
        return values.merging(read(ServeSettings.Name.ofTLS, in: tls)) { $1 }
    }

    /// Where each value stands.
    var places: [ServeSettings.Name: SettingsPosition] {
        var places: [ServeSettings.Name: SettingsPosition] = [:]
        for name in ServeSettings.Name.allCases {
            let mapping = ServeSettings.Name.ofTLS.contains(name) ? reader["tls"]?.mapping : reader.node.mapping
            places[name] = mapping?[name.rawValue]?.mark.map { SettingsPosition(line: $0.line, column: $0.column) }
        }
        return places
    }

    private func read(_ names: [ServeSettings.Name], in reader: MappingReader) -> [ServeSettings.Name: String] {
        reader.reportUnknownKeys()
        var values: [ServeSettings.Name: String] = [:]
        for name in names where reader[name.rawValue] != nil {
            guard let text = text(name, in: reader) else { continue }
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

    private func text(_ name: ServeSettings.Name, in reader: MappingReader) -> String? {
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
