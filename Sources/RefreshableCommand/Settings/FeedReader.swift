import ListSources
import Yams

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
