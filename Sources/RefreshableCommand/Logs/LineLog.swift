import Logging

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
