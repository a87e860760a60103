import ListSources
import Yams

/// Reads the command of a list, and how its output becomes rows.
///
/// ```yaml
/// command: ["git", "log"]                     # a program and its arguments
/// command: git log | head                     # a line for the shell
/// command: {run: ./rows, folder: ../tools, environment: {LANG: C}}
/// ```
struct CommandReader {
    private let reader: MappingReader
    private let faults: FaultCollector

    init(_ reader: MappingReader, _ faults: FaultCollector) {
        self.reader = reader
        self.faults = faults
    }

    /// The command; nil, and faults, if there is none that can be run.
    func read() -> CommandSettings? {
        let layout = LayoutReader(reader, faults).read(unset: .lines)
        guard let node = reader["command"], var settings = command(node) else { return nil }
        settings.layout = layout
        return settings
    }

    private func command(_ node: Node) -> CommandSettings? {
        guard node.mapping != nil else { return line(node, "command").map { CommandSettings(command: $0) } }
        let keys = ["run", "folder", "environment"]
        guard let reader = MappingReader(node, path: "command", of: "command", keys: keys, faults) else { return nil }
        reader.reportUnknownKeys()
        let environment = environment(reader)
        guard let run = reader["run"] else {
            if !reader.hasUnknownKey(near: ["run"]) {
                reader.fault("run", expected: "a list of arguments or a shell line", came: "none")
            }
            return nil
        }
        return line(run, "command.run").map {
            CommandSettings(command: $0, folder: reader.text("folder"), environment: environment)
        }
    }

    private func line(_ node: Node, _ field: String) -> CommandSource.Command? {
        if let text = node.text, text.contains(where: { !$0.isWhitespace }) { return .shell(text) }
        guard let sequence = node.sequence, !sequence.isEmpty else {
            faults.add(at: node, field, expected: "a list of arguments or a shell line", came: node.summary)
            return nil
        }
        let arguments = sequence.map { node in
            if node.text == nil { faults.add(at: node, field, expected: "a text as argument", came: node.summary) }
            return node.text ?? ""
        }
        if arguments[0].isEmpty, sequence[0].text != nil {
            faults.add(at: sequence[0], field, expected: "the name of a program", came: sequence[0].summary)
        }
        return .arguments(arguments)
    }

    private func environment(_ command: MappingReader) -> [String: String] {
        guard let node = command["environment"] else { return [:] }
        guard let mapping = node.mapping else {
            command.fault("environment", expected: "a mapping of names and values")
            return [:]
        }
        var variables: [String: String] = [:]
        for (key, value) in mapping {
            let name = key.text ?? ""
            if name.isEmpty || name.contains("=") || value.text == nil {
                faults.add(
                    at: key, "command.environment", expected: "a name and a text",
                    came: "\(key.summary) and \(value.summary)")
            }
            variables[name] = value.text
        }
        return variables
    }
}
