import ListSources
import Yams

/// The file of a list.
struct FileSettings: Hashable {
    /// A relative one starts in the folder of the settings file.
    var path: String
    var layout: RowLayout
    /// Whether programs append lines to it and keep it open.
    var grows = false
}

/// Reads the file of a list, and how it becomes rows.
///
/// ```yaml
/// file: people.csv
/// file: {path: /var/log/door.jsonl, grows: true}    # lines are added to it, by who keeps it open
/// ```
struct FileReader {
    private let reader: MappingReader
    private let faults: FaultCollector

    init(_ reader: MappingReader, _ faults: FaultCollector) {
        self.reader = reader
        self.faults = faults
    }

    /// The file; nil, and faults, if none is named.
    func read() -> FileSettings? {
        guard let node = reader["file"] else { return nil }
        let (path, grows) = node.mapping == nil ? (node.text, false) : members(of: node)
        let layout = LayoutReader(reader, faults).read(unset: path.flatMap(RowFormat.init(fileName:)) ?? .lines)
        if grows, layout.format.isDocument {
            faults.add(
                at: node, "file.grows", expected: "it only with lines, jsonl, csv or tsv",
                came: "with \(layout.format), which is whole or nothing")
        }
        if let path, !path.isEmpty { return FileSettings(path: path, layout: layout, grows: grows) }
        if node.mapping == nil { reader.fault("file", expected: "the path of a file") }
        return nil
    }

    private func members(of node: Node) -> (path: String?, grows: Bool) {
        guard let file = MappingReader(node, path: "file", of: "file", keys: ["path", "grows"], faults) else {
            return (nil, false)
        }
        file.reportUnknownKeys()
        let path = file.text("path")
        if path?.isEmpty ?? (file["path"] == nil), !file.hasUnknownKey(near: ["path"]) {
            file.fault("path", expected: "the path of a file", came: path.map { _ in "\"\"" } ?? "none")
        }
        return (path, file.flag("grows") ?? false)
    }
}

/// Reads where the feed of a list is: what `web` may say, or the path of a file.
///
/// ```yaml
/// feed: https://example.org/news.atom
/// feed: ./news.xml                                    # begins with a dot or a slash
/// feed: {url: https://example.org/news, headers: {Authorization: "Bearer ${TOKEN}"}}
/// ```
struct FeedReader {
    private let reader: MappingReader
    private let faults: FaultCollector

    init(_ reader: MappingReader, _ faults: FaultCollector) {
        self.reader = reader
        self.faults = faults
    }

    /// Where it is; nil, and faults, if that is nowhere.
    func read() -> ListSettings.Source? {
        for key in ["format", "rows"] where reader[key] != nil {
            faults.add(
                at: reader.key(key), key, expected: "it only beside \(LayoutReader.sources(with: key).orList)",
                came: "beside feed")
        }
        if let path = reader["feed"]?.text, path.hasPrefix(".") || path.hasPrefix("/") {
            return .file(FileSettings(path: path, layout: LayoutReader(reader, faults).readFeed()))
        }
        return WebReader("feed", of: reader, faults).read().map(ListSettings.Source.web)
    }
}
