import CommandSources
import KeyedLists
import ListProtocol
import ListSources
import RefreshableLists
import Yams

/// One action on the rows of a list.
struct ActionSettings: Hashable {
    /// How it is undone.
    enum Undo: Hashable {
        case none
        /// By taking its effect back alone.
        case effect
        case command(CommandSettings)
    }

    var name: String
    var title: String
    /// What becomes of the row.
    var effect: RowAction.Effect?
    /// Nil: it does nothing but its effect.
    var command: CommandSettings?
    var undo: Undo
    var isDestructive: Bool
    /// Whether the list is refreshed after it.
    var refreshes: Bool
}

/// Reads the actions of a list.
///
/// ```yaml
/// actions:
///   - title: Archive
///     effect: remove                               # or the fields that are set: {badge: done}
///     command: ["mail", "archive", "{key}"]        # or a line for the shell, with "$ROW_KEY"
///     undo: ["mail", "unarchive", "{key}"]         # where there is no command: true, unless false
///     name: archive                                # in messages; without it, of the title
///     destructive: true                            # looks dangerous
///     refresh: true                                # the list is refreshed after it
/// ```
struct ActionReader {
    static let keys = ["title", "name", "effect", "command", "undo", "destructive", "refresh"]

    private let list: MappingReader
    private let faults: FaultCollector

    init(_ list: MappingReader, _ faults: FaultCollector) {
        self.list = list
        self.faults = faults
    }

    func read() -> [ActionSettings] {
        guard let node = list["actions"] else { return [] }
        guard let nodes = node.sequence else {
            list.fault("actions", expected: "a list of actions, each with a title")
            return []
        }
        var names: Set<String> = []
        return nodes.compactMap { action($0, &names) }
    }

    private func action(_ node: Node, _ names: inout Set<String>) -> ActionSettings? {
        guard let reader = MappingReader(node, path: "actions", of: "actions", keys: Self.keys, faults) else {
            return nil
        }
        reader.reportUnknownKeys()
        guard let title = title(reader), let name = name(reader, title, &names) else { return nil }
        let effect = effect(reader)
        let command = reader["command"].flatMap { self.command($0, "actions.command") }
        if reader["effect"] == nil, reader["command"] == nil, !reader.hasUnknownKey(near: ["effect", "command"]) {
            reader.fault("command", expected: "a command, an effect, or both", came: "neither")
        }
        return ActionSettings(
            name: name, title: title, effect: effect, command: command,
            undo: undo(reader, hasCommand: reader["command"] != nil),
            isDestructive: reader.flag("destructive") ?? false, refreshes: reader.flag("refresh") ?? false)
    }

    private func title(_ reader: MappingReader) -> String? {
        guard reader["title"] != nil else {
            if !reader.hasUnknownKey(near: ["title"]) { reader.fault("title", expected: "a text", came: "none") }
            return nil
        }
        guard let title = reader.text("title") else { return nil }
        if 1...64 ~= title.utf8.count { return title }
        reader.fault("title", expected: "a text of 1 to 64 bytes")
        return nil
    }

    private func name(_ reader: MappingReader, _ title: String, _ names: inout Set<String>) -> String? {
        let name = reader.text("name") ?? ActionName.of(title)
        guard ActionName.isValid(name) else {
            reader.fault("name", expected: ActionName.rule, came: reader["name"] == nil ? "none" : nil)
            return nil
        }
        guard !ActionName.reserved.contains(name) else {
            reader.fault(
                "name", expected: "another name than seen and unseen, which mark rows as seen", came: name.quoted)
            return nil
        }
        guard names.insert(name).inserted else {
            reader.fault("name", expected: "another name than an action before it has", came: "\"\(name)\"")
            return nil
        }
        return name
    }

    private func effect(_ reader: MappingReader) -> RowAction.Effect? {
        guard let node = reader["effect"] else { return nil }
        if node.text == "remove" { return .remove }
        let expected = "remove, or the fields that are set, such as {badge: done}"
        guard let mapping = node.mapping, !mapping.isEmpty else {
            let hint = node.text.flatMap { Spelling.nearest(to: $0, in: ["remove"]) }
            reader.fault("effect", expected: expected, hint: hint.map(SettingsFault.Hint.word))
            return nil
        }
        var fields: [Key: JSONValue] = [:]
        for (key, value) in mapping {
            guard let name = key.text, let value = value.fieldValue else {
                faults.add(
                    at: value, "actions.effect", expected: "a text, a number, true, false or null", came: value.summary)
                continue
            }
            fields[Key(name)] = value
        }
        return .set(fields)
    }

    private func command(_ node: Node, _ path: String) -> CommandSettings? {
        guard let settings = CommandReader(list, faults).command(node, path) else { return nil }
        switch settings.command {
        case .shell(let line) where line.contains("{key}"):
            faults.add(
                at: node, path, expected: "\"$ROW_KEY\" in a line for the shell, or a list of arguments", came: "{key}")
        case .shell: break
        case .arguments(let arguments):
            let nodes = (node.sequence ?? node.mapping?["run"]?.sequence).map(Array.init) ?? []
            for (argument, node) in zip(arguments, nodes) {
                guard let expected = CommandAction.fault(inArgument: argument) else { continue }
                faults.add(at: node, path, expected: expected, came: node.summary)
            }
        }
        return settings
    }

    private func undo(_ reader: MappingReader, hasCommand: Bool) -> ActionSettings.Undo {
        guard let node = reader["undo"] else { return hasCommand ? .none : .effect }
        switch node.text {
        case "false": return .none
        case "true" where !hasCommand: return .effect
        case "true":
            reader.fault("undo", expected: "a command that takes back what the action's command did")
            return .none
        default: return command(node, "actions.undo").map(ActionSettings.Undo.command) ?? .none
        }
    }
}

extension Node {
    /// A scalar as a field of a row has it; nil: it is none.
    fileprivate var fieldValue: JSONValue? {
        guard let scalar else { return nil }
        guard let text else { return .null }
        guard scalar.style == .plain else { return .string(text) }
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return Double(text).map(JSONValue.number) ?? .string(text)
        }
    }
}
