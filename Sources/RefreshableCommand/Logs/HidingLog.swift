import Logging

/// A log in which no secret stands.
struct HidingLog: LogHandler {
    private var log: any LogHandler
    private let secrets: HiddenSecrets

    /// - Parameter log: where the lines go.
    init(_ log: any LogHandler, hiding secrets: HiddenSecrets) {
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
