import Yams

/// What a `lists.yaml` says: the lists to serve, in its order.
///
/// ```yaml
/// lists:
///   - name: disks
///     command: df -h
/// ```
///
/// Every value was checked: what is here can be served. Pure but for `Yams`: a text goes in, lists or faults come out.
struct Settings: Hashable {
    let lists: [ListSettings]

    /// Reads the text of a settings file.
    ///
    /// - Parameters:
    ///   - file: its name, for the faults.
    ///   - environment: the variable of a name, for `${NAME}` where settings may have secrets.
    /// - Throws: every fault of the text at once.
    init(
        reading text: String, file: String, environment: @escaping (String) -> String? = { _ in nil }
    ) throws(SettingsFaults) {
        let faults = FaultCollector()
        let root = Self.compose(text, faults)
        lists = root.map { Self.lists(in: $0, environment, faults) } ?? []
        try faults.check(file: file)
    }

    private static func compose(_ text: String, _ faults: FaultCollector) -> Node? {
        do {
            if let node = try Yams.compose(yaml: text) { return node }
            faults.add(at: nil, "lists", expected: "a list of lists", came: "an empty file")
        } catch {
            faults.add(yaml: error)
        }
        return nil
    }

    private static func lists(
        in root: Node, _ environment: @escaping (String) -> String?, _ faults: FaultCollector
    ) -> [ListSettings] {
        guard let reader = MappingReader(root, path: "", of: "the file", keys: ["lists"], faults) else { return [] }
        reader.reportUnknownKeys()
        guard let node = reader["lists"] else {
            if !reader.hasUnknownKey { faults.add(at: root, "lists", expected: "a list of lists", came: "none") }
            return []
        }
        guard let sequence = node.sequence, !sequence.isEmpty else {
            faults.add(at: node, "lists", expected: "a list of lists", came: node.summary)
            return []
        }
        var names = NameRegister()
        return sequence.compactMap { ListReader($0, environment: environment, faults)?.read(&names) }
    }
}
