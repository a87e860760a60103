import Synchronization

/// The secrets of all settings that were read since the start, for logs and errors: one that is settings' no more may
/// still be in the text of an error.
final class HiddenSecrets: Sendable {
    private let secrets: Mutex<Secrets>

    init(_ secrets: Secrets) { self.secrets = Mutex(secrets) }

    func add(_ more: Secrets) { secrets.withLock { $0.formUnion(more) } }

    /// The text without them. From any thread.
    @Sendable func hiding(_ text: String) -> String { secrets.withLock { $0 }.hiding(text) }
}
