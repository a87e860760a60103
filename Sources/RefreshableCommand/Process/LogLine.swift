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

/// A log that writes a line for each event to standard error, as text or JSON.
struct LineLog: LogHandler {
    let format: LogFormat
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    /// Where lines go, without their ends.
    var write: @Sendable (String) -> Void = { Console.log($0) }

    /// - Parameter format: what lines look like.
    init(_ format: LogFormat) { self.format = format }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var about = metadata
        if let provider = metadataProvider { about.merge(provider.get()) { $1 } }
        if let more = event.metadata { about.merge(more) { $1 } }
        if let error = event.error { about["error"] = "\(error)" }
        let line = LogLine(
            date: DateText.now, level: event.level, message: event.message.description,
            metadata: about.mapValues(\.description))
        write(line.text(format))
    }
}

/// A log in which no secret stands.
struct RedactingLog: LogHandler {
    private var log: any LogHandler
    private let secrets: SecretRedactor

    /// - Parameter log: where the lines go.
    init(_ log: any LogHandler, hiding secrets: SecretRedactor) {
        self.log = log
        self.secrets = secrets
    }

    var logLevel: Logger.Level {
        get { log.logLevel }
        set { log.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { log.metadata }
        set { log.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { log.metadataProvider }
        set { log.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { log[metadataKey: key] }
        set { log[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(secrets.hiding(event.message.description))"
        event.metadata = event.metadata?.mapValues { .string(secrets.hiding($0.description)) }
        if let error = event.error {
            event.metadata = (event.metadata ?? [:]).merging(["error": .string(secrets.hiding("\(error)"))]) { $1 }
            event.error = nil
        }
        log.log(event: event)
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Points in time for logs: ISO 8601, in UTC, to the millisecond.
enum DateText {
    /// - Parameter date: milliseconds since 1970.
    static func utc(_ date: Int64) -> String {
        var seconds = time_t(date / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = [
            padded(Int(parts.tm_year) + 1900, 4), padded(Int(parts.tm_mon) + 1, 2), padded(Int(parts.tm_mday), 2),
        ]
        let clock = [padded(Int(parts.tm_hour), 2), padded(Int(parts.tm_min), 2), padded(Int(parts.tm_sec), 2)]
        return "\(day.joined(separator: "-"))T\(clock.joined(separator: ":")).\(padded(Int(date % 1000), 3))Z"
    }

    /// Now, in milliseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

/// What lines of the log look like.
enum LogFormat: String, CaseIterable {
    /// For people.
    case text
    /// An object a line, for programs.
    case json
}
