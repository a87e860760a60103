import Logging
import Synchronization

/// Keeps what is logged.
final class RecordedLog: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])

    func contains(_ text: String) -> Bool {
        lines.withLock { $0.contains { $0.contains(text) } }
    }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.message)") }
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
}
