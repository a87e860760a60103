import ListProtocol
import ListSources
import Yams

/// One list of a settings file.
struct ListSettings: Hashable {
    /// Where its rows come from.
    enum Source: Hashable {
        case command(CommandSettings)
        case file(FileSettings)
        case web(WebSettings)
        case sqlite(SQLiteSettings)
        case postgres(PostgresSettings)
        /// A demo, by its name.
        case demo(String)
    }

    /// How the rows of a run reach the list.
    enum Mode: String, CaseIterable, Hashable {
        case replace, stream
    }

    /// A time that a settings file may leave out or switch off.
    enum Period: Hashable {
        case unset
        /// `none`.
        case none
        case of(Duration)
    }

    var name: String
    /// Nil: the name, capitalised.
    var title: String?
    /// Nil: from other programs alone.
    var source: Source?
    /// Whether other programs may change the rows.
    var push = false
    var pull: PullSettings
    /// What its rows are called.
    var noun: Noun?
    /// How its rows are divided.
    var section: Sections?
    /// Of what people may ask to be notified.
    var notify: Occasion?
    /// What people may do to its rows.
    var actions: [ActionSettings] = []
    /// Whether people are shown which rows they have not seen.
    var unread = false
    /// Whether all rows are in memory; else on disk, and only those in memory that somebody looks at.
    var isResident = true
    /// The names of the servers that may run it; nil: any.
    var servers: [String]?
    /// Nil: `replace`, or what the demo asks for.
    var mode: Mode?
    var deadline = Period.unset
    var every = Period.unset
    var maximumAge = Period.unset
    var minimumInterval = Period.unset
}

extension ListSettings.Source {
    /// What its settings say of the fields of a row.
    var fields: FieldMapping {
        switch self {
        case .command(let command): command.layout.fields
        case .file(let file): file.layout.fields
        case .web(let web): web.layout.fields
        case .sqlite(let sqlite): sqlite.fields
        case .postgres(let postgres): postgres.fields
        case .demo: FieldMapping()
        }
    }
}

/// Reads one list of a settings file.
struct ListReader {
    static let keys = [
        "name", "title", "noun", "section", "notify", "command", "file", "web", "feed", "sqlite", "postgres", "query",
        "parameters", "demo", "push", "actions", "unread", "resident", "format", "encoding", "rows", "fields", "filter",
        "sort",
        "limit", "pull", "mode", "deadline", "every", "maximumAge", "minimumInterval", "servers",
    ]
    private static let sources = ["command", "file", "web", "feed", "sqlite", "postgres", "demo"]
    private static let databases = QueryReader.Kind.all.map(\.name)
    /// The keys that define refreshes, for lists that have a source.
    private static let refreshing =
        QueryReader.keys + LayoutReader.keys + ["pull", "mode", "deadline", "every", "maximumAge", "minimumInterval"]

    /// What a list can't have whose rows are on disk.
    private static let ofResidentLists = ["push", "actions", "unread", "notify", "mode"]

    private let reader: MappingReader
    private let faults: FaultCollector

    /// Nil, and a fault, if the node is no mapping.
    init?(_ node: Node, _ faults: FaultCollector) {
        guard let reader = MappingReader(node, path: "", of: "a list", keys: Self.keys, faults) else { return nil }
        self.reader = reader
        self.faults = faults
    }

    /// The list; nil, and faults, if it can't be served.
    func read(_ names: inout NameRegister) -> ListSettings? {
        reader.reportUnknownKeys()
        let name = name(&names)
        let push = reader.flag("push")
        let source = source(isPushed: push == true)
        let demo: Demo? = if case .demo(let name)? = source { Demo(named: name) } else { nil }
        let pull = PullReader(reader, demo: demo, faults).read()
        let list = ListSettings(
            name: name ?? "", title: title(), source: source, push: push == true, pull: pull,
            noun: NounReader(reader, faults).read(), section: section(isPushed: push == true),
            notify: reader.word("notify"), actions: ActionReader(reader, faults).read(),
            unread: reader.flag("unread") ?? false, isResident: isResident(with: source),
            servers: reader.texts("servers"),
            mode: reader.word("mode"),
            deadline: reader.period("deadline"), every: reader.period("every"),
            maximumAge: reader.period("maximumAge"), minimumInterval: reader.period("minimumInterval"))
        return name == nil || source == nil && push != true ? nil : list
    }

    private func name(_ names: inout NameRegister) -> String? {
        guard let node = reader["name"] else {
            if !reader.hasUnknownKey(near: ["name"]) { reader.fault("name", expected: "a name", came: "none") }
            return nil
        }
        guard let name = node.text, ListName.isValid(name) else {
            reader.fault(
                "name", expected: ListName.rule,
                hint: node.text.flatMap(ListName.nearest).map(SettingsFault.Hint.word))
            return nil
        }
        if let line = names.take(name, line: node.mark?.line ?? 1) {
            reader.fault("name", expected: "another name than the list on line \(line) has")
        }
        return name
    }

    private func title() -> String? {
        guard let title = reader.text("title") else { return nil }
        if title.utf8.count > 256 || title.isEmpty { reader.fault("title", expected: "a text of 1 to 256 bytes") }
        return title
    }

    private func isResident(with source: ListSettings.Source?) -> Bool {
        guard reader.flag("resident") == false else { return true }
        if case .web(let web)? = source, web.next != nil {
            reader.fault("resident", expected: "true beside pages, which are asked for one by one")
        }
        for key in Self.ofResidentLists where reader[key] != nil {
            faults.add(
                at: reader.key(key), key, expected: "it where all rows are in memory", came: "it beside resident: false"
            )
        }
        return false
    }

    private func section(isPushed: Bool) -> Sections? {
        let hasColumns = Self.sources.contains { $0 != "demo" && reader[$0] != nil }
        return SectionReader(reader, faults).read(hasColumns: hasColumns, isPushed: isPushed)
    }

    private func source(isPushed: Bool) -> ListSettings.Source? {
        let named = Self.sources.filter { reader[$0] != nil }
        guard let name = named.first, let node = reader[name] else {
            noSource(isPushed: isPushed)
            return nil
        }
        guard named.count == 1 else {
            faults.add(
                at: reader.key(named[named.count - 1]), named[named.count - 1],
                expected: "one of \(Self.sources.andList)", came: named.andList)
            return nil
        }
        if !Self.databases.contains(name) { reportKeysOfQueries(beside: name) }
        return switch name {
        case "command": CommandReader(reader, faults).read().map(ListSettings.Source.command)
        case "file": FileReader(reader, faults).read().map(ListSettings.Source.file)
        case "web": WebReader("web", of: reader, faults).read().map(ListSettings.Source.web)
        case "feed": FeedReader(reader, faults).read()
        case "sqlite": SQLiteReader(reader, faults).read().map(ListSettings.Source.sqlite)
        case "postgres": PostgresReader(reader, faults).read().map(ListSettings.Source.postgres)
        default: demo(node)
        }
    }

    private func reportKeysOfQueries(beside source: String) {
        for key in QueryReader.keys where reader[key] != nil {
            faults.add(
                at: reader.key(key), key, expected: "it only beside \(Self.databases.orList)",
                came: "beside \(source)")
        }
    }

    private func noSource(isPushed: Bool) {
        guard !isPushed else {
            for key in Self.refreshing where reader[key] != nil {
                faults.add(
                    at: reader.key(key), key, expected: "it only beside \(Self.sources(with: key).orList)",
                    came: "beside push alone")
            }
            return
        }
        if !reader.hasUnknownKey(near: Self.sources + ["push"]), reader["push"]?.text ?? "false" == "false" {
            let all = Self.sources + ["push: true"]
            faults.add(at: reader.node, "command", expected: "one of \(all.andList)", came: "none")
        }
    }

    /// The sources for which a key has a meaning.
    private static func sources(with key: String) -> [String] {
        if QueryReader.keys.contains(key) { return databases }
        if LayoutReader.formatKeys.contains(key) { return LayoutReader.sources(with: key) }
        return LayoutReader.keys.contains(key) ? sources.filter { $0 != "demo" } : sources
    }

    private func demo(_ node: Node) -> ListSettings.Source? {
        for key in LayoutReader.keys where reader[key] != nil {
            faults.add(
                at: reader.key(key), key, expected: "it only beside \(Self.sources(with: key).orList)",
                came: "beside demo")
        }
        if let name = node.text, Demo.names.contains(name) { return .demo(name) }
        reader.fault(
            "demo", expected: Demo.names.orList,
            hint: node.text.flatMap { Spelling.nearest(to: $0, in: Demo.names) }.map(SettingsFault.Hint.word))
        return nil
    }
}

/// The names that lists may have: they stand in URLs, messages and file names as they are.
enum ListName {
    /// What a name is, for the end of a sentence that starts "expected".
    static let rule = "a name of 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit"

    static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetterOrDigit(first) else { return false }
        return name.utf8.count <= 64 && name.utf8.allSatisfy(isAllowed)
    }

    /// The name that a text would have: `My list` is `my-list`. Nil if nothing of it can be in a name.
    static func nearest(_ text: String) -> String? {
        let bytes = text.lowercased().utf8.map { isAllowed($0) ? $0 : UInt8(ascii: "-") }
        let start = bytes.drop { !isLetterOrDigit($0) }
        let words = start.split(separator: UInt8(ascii: "-"))
        let name = Array(words.joined(separator: [UInt8(ascii: "-")])).prefix(64)
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
