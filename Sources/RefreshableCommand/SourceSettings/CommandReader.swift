import CommandSources
import ListProtocol
import ListSources
import Yams

/// The command of a list.
struct CommandSettings: Hashable {
    var command: CommandSource.Command
    var layout = RowLayout(.lines)
    /// Nil: the folder of the settings file. A relative one starts there.
    var folder: String?
    var environment: [String: String] = [:]
    var progress = CommandSource.Progress.told
    /// The most it may print, in bytes.
    var size = CommandSource.defaultOutputLimit
    /// Between being asked to end and being made to.
    var patience = CommandSource.defaultPatience
}

/// Reads the command of a list, and how its output becomes rows.
///
/// ```yaml
/// command: ["git", "log"]                     # a program and its arguments
/// command: git log | head                     # a line for the shell
/// command:
///   run: ./rows
///   folder: ../tools
///   environment: {LANG: C, TOKEN: "${TOKEN}"}   # from the environment of the server
///   progress: {total: 400}                      # or rows: counted, of nobody knows how many
///   size: 8MiB                                  # the most it may print
///   patience: 2s                                # from being asked to end to being made to
/// ```
struct CommandReader {
    static let keys = ["run", "folder", "environment", "progress", "size", "patience"]

    private let reader: MappingReader
    private let faults: FaultCollector

    init(_ reader: MappingReader, _ faults: FaultCollector) {
        self.reader = reader
        self.faults = faults
    }

    /// The command; nil, and faults, if there is none that can be run.
    func read() -> CommandSettings? {
        let layout = LayoutReader(reader, faults).read(unset: .lines)
        guard let node = reader["command"], var settings = command(node, "command") else { return nil }
        settings.layout = layout
        if settings.progress != .told, layout.format == .json {
            faults.add(
                at: node, "command.progress", expected: "it only with lines, jsonl, csv or tsv",
                came: "with json, whose rows come at once")
        }
        return settings
    }

    /// A command, and how it runs.
    ///
    /// - Parameter path: what leads to it, in faults.
    func command(_ node: Node, _ path: String) -> CommandSettings? {
        guard node.mapping != nil else { return line(node, path).map { CommandSettings(command: $0) } }
        guard let reader = MappingReader(node, path: path, of: path, keys: Self.keys, faults) else {
            return nil
        }
        reader.reportUnknownKeys()
        var settings = CommandSettings(command: .arguments([]), folder: reader.text("folder"))
        settings.environment = environment(reader)
        settings.progress = progress(reader)
        settings.size = reader.size("size") ?? settings.size
        settings.patience = reader.duration("patience", such: "500ms or 2s") ?? settings.patience
        guard let run = reader["run"] else {
            if !reader.hasUnknownKey(near: ["run"]) {
                reader.fault("run", expected: "a list of arguments or a shell line", came: "none")
            }
            return nil
        }
        guard let command = line(run, "\(path).run") else { return nil }
        settings.command = command
        return settings
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
}

extension CommandReader {
    private func environment(_ command: MappingReader) -> [String: String] {
        guard let node = command["environment"] else { return [:] }
        guard let mapping = node.mapping else {
            command.fault("environment", expected: "a mapping of names and values")
            return [:]
        }
        var environment: [String: String] = [:]
        for (key, value) in mapping {
            guard let name = key.text, Self.isName(name), let text = value.text, !text.contains("\0") else {
                faults.add(
                    at: key, "command.environment", expected: "a name of letters, digits and _, and a text",
                    came: "\(key.summary) and \(value.summary)")
                continue
            }
            environment[name] = text
        }
        return environment
    }

    /// POSIX XBD 3.216: what a shell hands on.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39 ~= first) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    private func progress(_ command: MappingReader) -> CommandSource.Progress {
        guard let node = command["progress"] else { return .told }
        if node.text == "rows" { return .rows(of: nil) }
        if node.mapping != nil,
            let progress = MappingReader(node, path: "command.progress", of: "progress", keys: ["total"], faults)
        {
            progress.reportUnknownKeys()
            if let total = progress["total"]?.text.flatMap(Int.init), total > 0 { return .rows(of: total) }
            if !progress.hasUnknownKey(near: ["total"]) {
                progress.fault("total", expected: "a whole number above zero")
            }
            return .told
        }
        let number = node.text.flatMap(Int.init).map { "{total: \($0)}" }
        let word = node.text.flatMap { Spelling.nearest(to: $0, in: ["rows"]) }
        command.fault(
            "progress", expected: "rows or {total: NUMBER}", hint: (number ?? word).map(SettingsFault.Hint.word))
        return .told
    }
}
