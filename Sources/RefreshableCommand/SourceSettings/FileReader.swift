import ListSources
import Yams

/// The file of a list.
struct FileSettings: Hashable {
    /// A relative one starts in the folder of the settings file.
    var path: String
    var layout: RowLayout
    /// Whether programs append lines to it and keep it open.
    var grows = false
    /// The most that is read, in bytes.
    var size = 64 << 20
}

/// Reads the file of a list, and how it becomes rows.
///
/// ```yaml
/// file: people.csv
/// file: {path: /var/log/door.jsonl, grows: true}    # lines are added to it, by who keeps it open
/// file: {path: log.tsv, size: 1GiB}                 # the most that is read
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
        var settings = FileSettings(path: "", layout: RowLayout(.lines))
        let path = node.mapping == nil ? node.text : readMembers(of: node, into: &settings)
        settings.layout = LayoutReader(reader, faults).read(unset: path.flatMap(RowFormat.init(fileName:)) ?? .lines)
        if settings.grows, settings.layout.format.isDocument {
            faults.add(
                at: node, "file.grows", expected: "it only with lines, jsonl, csv or tsv",
                came: "with \(settings.layout.format), which is whole or nothing")
        }
        if let path, !path.isEmpty {
            settings.path = path
            return settings
        }
        if node.mapping == nil { reader.fault("file", expected: "the path of a file") }
        return nil
    }

    /// Gives the path.
    private func readMembers(of node: Node, into settings: inout FileSettings) -> String? {
        guard let file = MappingReader(node, path: "file", of: "file", keys: ["path", "grows", "size"], faults) else {
            return nil
        }
        file.reportUnknownKeys()
        let path = file.text("path")
        if path?.isEmpty ?? (file["path"] == nil), !file.hasUnknownKey(near: ["path"]) {
            file.fault("path", expected: "the path of a file", came: path.map { _ in "\"\"" } ?? "none")
        }
        settings.grows = file.flag("grows") ?? settings.grows
        settings.size = file.size("size") ?? settings.size
        return path
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
