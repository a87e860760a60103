import ListSources
import Logging
import RefreshableLists
import Synchronization

/// Reads the file of tokens again whenever it changes, or is asked to. A file with a fault changes nothing.
struct TokenReloader: Sendable {
    /// In bytes. More is no file of tokens.
    private static let limit = 4 << 20

    let file: String
    /// Its content when the server started.
    let access: Access
    let server: RefreshableServer
    let secrets: SecretRedactor
    let logger: Logger

    /// Until its task is cancelled.
    func run(asks: AsyncStream<Void>) async {
        let whole = WholeFile(file, limit: Self.limit)
        let (causes, cause) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let changes = whole.changes()
        // It may have changed before it was watched.
        cause.yield()
        var known = access
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in changes { cause.yield() } }
            group.addTask { for await _ in asks { cause.yield() } }
            for await _ in causes { await reload(whole, &known) }
            group.cancelAll()
        }
    }

    private func reload(_ whole: WholeFile, _ known: inout Access) async {
        do {
            let bytes = try await whole.bytes()
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw TextFile.Unreadable(path: file, reason: "it is not UTF-8 text")
            }
            let tokens = try TokenSettings(reading: text, file: file, environment: EnvironmentVariables.every)
            secrets.add(tokens.secrets)
            guard tokens.access != known else { return }
            server.change(to: tokens.access)
            known = tokens.access
            logger.notice("Read \(file) again: \(tokens.summary).")
        } catch is CancellationError {
            return
        } catch let faults as SettingsFaults {
            for line in faults.lines { logger.error("\(line)") }
            logger.error("\(faults.summary) The tokens stay as they were.")
        } catch let error as SourceError {
            logger.error("\(error.detail.isEmpty ? error.message : error.detail) The tokens stay as they were.")
        } catch {
            logger.error("Cannot read \(file) again: \(error) The tokens stay as they were.")
        }
    }
}

/// The secrets of all settings that were read since the start, for logs and errors: one that is settings' no more may
/// still be in the text of an error.
final class SecretRedactor: Sendable {
    private let secrets: Mutex<Secrets>

    init(_ secrets: Secrets) { self.secrets = Mutex(secrets) }

    func add(_ more: Secrets) { secrets.withLock { $0.formUnion(more) } }

    /// The text without them. From any thread.
    @Sendable func hiding(_ text: String) -> String { secrets.withLock { $0 }.hiding(text) }
}
