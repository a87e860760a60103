import KeyedLists
import Logging

/// One line of the log. Nothing that a stranger wrote can begin another one, or change a terminal: what controls either is
/// escaped.
struct LogLine {
    /// Milliseconds since 1970.
    var date: Int64
    var level: Logger.Level
    var message: String
    /// What the line is about, by name.
    var metadata: [String: String] = [:]

    /// Those that are looked for most stand first.
    private static let leading = ["connection", "list", "run"]

    func text(_ format: LogFormat) -> String {
        switch format {
        case .text: plain
        case .json: json
        }
    }

    /// `2026-11-21T15:35:22.123Z notice A refresh ended. list=fruit run=r7`
    private var plain: String {
        let pairs = names.map { "\(TerminalText.safe($0))=\(Self.word(metadata[$0] ?? ""))" }
        return (["\(DateText.utc(date)) \(level.rawValue)", TerminalText.safe(message)] + pairs).joined(separator: " ")
    }

    /// `{"time":"…","level":"notice","message":"…","list":"fruit","run":"r7"}`
    private var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", DateText.utc(date))
        json.member("level", level.rawValue)
        json.member("message", message)
        for name in names {
            json.name(Key(["time", "level", "message"].contains(name) ? name + "_" : name))
            json.value(metadata[name] ?? "")
        }
        json.endObject()
        return TerminalText.json(String(decoding: json.bytes, as: UTF8.self))
    }

    private var names: [String] {
        Self.leading.filter { metadata[$0] != nil } + metadata.keys.filter { !Self.leading.contains($0) }.sorted()
    }

    /// In quotes where blanks or quotes would make two of it.
    private static func word(_ text: String) -> String {
        let isOne = !text.isEmpty && !text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        return isOne
            ? TerminalText.safe(text)
            : "\"" + TerminalText.safe(text).replacing("\"", with: "\\\"") + "\""
    }
}
