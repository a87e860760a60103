import ArgumentParser
import Yams

/// The content of a `lists.yaml`: the lists to serve, in its order.
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
    /// How they are served, where flags and the environment say nothing.
    let server: [ServeSettings.Name: String]
    /// Its position in the file.
    let places: [ServeSettings.Name: SettingsPosition]
    /// Values of the environment that stand in it.
    let secrets: Secrets

    /// Reads the text of a settings file.
    ///
    /// - Parameters:
    ///   - file: its name, for the faults.
    ///   - environment: variables by name, for `${NAME}` in texts.
    /// - Throws: every fault of the text at once.
    init(
        reading text: String, file: String, environment: [String: String] = [:],
        faults: FaultCollector = FaultCollector()
    ) throws(SettingsFaults) {
        let root = Self.compose(text, faults).map(Variables(environment: environment, faults: faults).filled)
        lists = root.map { Self.lists(in: $0, faults) } ?? []
        let reader = root.flatMap { Self.server(in: $0, faults) }
        server = reader?.read() ?? [:]
        places = reader?.places ?? [:]
        secrets = faults.secrets
        try faults.check(file: file)
    }

    private static func compose(_ text: String, _ faults: FaultCollector) -> Node? {
        do {
            if let node = try Yams.compose(yaml: text) { return node }
            faults.add(at: nil, "lists", expected: Self.rule, came: "an empty file")
        } catch {
            faults.add(YAMLProblem(error, in: text))
        }
        return nil
    }

    private static func server(in root: Node, _ faults: FaultCollector) -> ServerReader? {
        root.mapping?["server"].flatMap { ServerReader($0, faults) }
    }

    private static let rule = "lists, each beginning with \"- name:\""

    private static func lists(in root: Node, _ faults: FaultCollector) -> [ListSettings] {
        if root.sequence != nil {
            faults.add(at: root, "lists", expected: "\"lists:\" above the lists", came: "lists without it")
            return []
        }
        guard let reader = MappingReader(root, path: "", of: "the file", keys: ["lists", "server"], faults) else {
            return []
        }
        reader.reportUnknownKeys()
        guard let node = reader["lists"] else {
            if !reader.hasUnknownKey { faults.add(at: root, "lists", expected: Self.rule, came: "none") }
            return []
        }
        guard let sequence = node.sequence, !sequence.isEmpty else {
            faults.add(at: node, "lists", expected: Self.rule, came: node.summary)
            return []
        }
        var names = NameRegister()
        return sequence.compactMap { ListReader($0, faults)?.read(&names) }
    }
}

extension Settings {
    /// The `server` section, with paths relative to the file.
    func server(in folder: String) -> [ServeSettings.Name: String] {
        var server = server
        for name in [ServeSettings.Name.data, .publicFolder, .tokens, .certificate, .key] {
            server[name] = server[name].map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
        }
        return server
    }
}

/// The file that settings are read from.
enum SettingsFile {
    private static let howToStart = """
        There is no lists.yaml in this folder. `refreshable init` writes an example; or name another file: \
        `refreshable serve FILE`.
        """
    private static let otherName = """
        There is no lists.yaml in this folder, but a lists.yml. Name it, as in `refreshable serve lists.yml`, or rename it.
        """

    /// The file that was named, or `lists.yaml`.
    ///
    /// - Throws: `ExitCode.noInput`, when it has said how to begin, if none was named and there is none.
    static func path(_ named: String?) throws -> String {
        if let named { return named }
        guard TextFile.exists("lists.yaml") else {
            Console.warn(TextFile.exists("lists.yml") ? otherName : howToStart)
            throw ExitCode.noInput
        }
        return "lists.yaml"
    }

    /// - Throws: `TextFile.Unreadable`, `SettingsFaults`.
    static func read(_ file: String) throws -> Settings {
        try Settings(reading: try TextFile.read(file), file: file, environment: EnvironmentVariables.every)
    }
}

/// Finds two lists with one name.
struct NameRegister {
    private var lines: [String: Int] = [:]

    /// The line at which the name was taken before; nil if it is free, and from now on taken.
    mutating func take(_ name: String, line: Int) -> Int? {
        if let first = lines[name] { return first }
        lines[name] = line
        return nil
    }
}
