import ListSources
import Logging
import RefreshableLists

/// Reads a settings file again whenever it changes, or the process is told to (SIGHUP), and has the server serve what it
/// says then. A file with a fault changes nothing.
///
///     inotify ─┐
///              ├─▶ read whole ─▶ Settings ─▶ SettingsChange ─▶ server
///     SIGHUP ──┘                 faults   ─▶ the log
///
/// So it does with the file of tokens, where there is one.
struct Reloader: Sendable {
    private enum Cause {
        case fileChanged, asked
    }

    /// More is no settings file. In bytes.
    private static let limit = 4 << 20

    let file: String
    /// The name of this server.
    let name: String
    /// Where commands run and files are found.
    let folder: String
    let rows: RowsFolder
    /// For the file of tokens, if there is one.
    let tokens: TokenReloader?
    let server: RefreshableServer
    let secrets: SecretRedactor
    let logger: Logger

    /// Until its task is cancelled.
    ///
    /// - Parameters:
    ///   - settings: what the server serves.
    ///   - asks: an element for each time that it is to look.
    func run(from settings: Settings, asks: AsyncStream<Void>) async {
        var settings = settings
        let whole = WholeFile(file, limit: Self.limit)
        let (causes, cause) = AsyncStream.makeStream(of: Cause.self, bufferingPolicy: .bufferingNewest(1))
        let changes = whole.changes()
        // It may have changed before it was watched.
        cause.yield(.fileChanged)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in changes { cause.yield(.fileChanged) } }
            let (tokenCauses, tokenCause) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            group.addTask {
                for await _ in asks {
                    cause.yield(.asked)
                    tokenCause.yield()
                    server.readCertificateAgain()
                }
            }
            if let tokens { group.addTask { await tokens.run(asks: tokenCauses) } }
            for await cause in causes { await reload(whole, cause, &settings) }
            group.cancelAll()
        }
    }

    private func reload(_ whole: WholeFile, _ cause: Cause, _ settings: inout Settings) async {
        do {
            let new = try await read(whole)
            let change = SettingsChange(from: settings, to: new)
            secrets.add(new.secrets)
            if !change.isEmpty {
                try await server.change(to: ListsChange(new, change, of: name, in: folder, rows, secrets: secrets))
            }
            if new.server != settings.server {
                logger.notice("What \(file) says of `server` takes effect at the next start.")
            }
            settings = new
            if !change.isEmpty || cause == .asked { logger.notice("Read \(file) again: \(change.summary).") }
        } catch is CancellationError {
            return
        } catch let faults as SettingsFaults {
            for line in faults.lines { logger.error("\(line)") }
            logger.error("\(faults.summary) The running settings stay in effect.")
        } catch let error as SourceError {
            logger.error("\(error.detail.isEmpty ? error.message : error.detail) The running settings stay in effect.")
        } catch {
            logger.error("Cannot read \(file) again: \(error) The running settings stay in effect.")
        }
    }

    private func read(_ whole: WholeFile) async throws -> Settings {
        let bytes = try await whole.bytes()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TextFile.Unreadable(path: file, reason: "it is not UTF-8 text")
        }
        return try Settings(reading: text, file: file, environment: EnvironmentVariables.every)
    }
}

extension ListsChange {
    fileprivate init(
        _ settings: Settings, _ change: SettingsChange, of server: String, in folder: String, _ rows: RowsFolder,
        secrets: SecretRedactor
    ) {
        self.init(
            lists: ServedLists.lists(settings, of: server, folder: folder, rows: rows, hiding: secrets.hiding),
            changed: Set(change.changed),
            withOtherRows: Set(change.withOtherRows))
    }
}

/// The difference between two versions of a settings file, by the names of lists.
struct SettingsChange: Hashable {
    var added: [String] = []
    var changed: [String] = []
    var removed: [String] = []
    /// Of those changed, whose rows come from elsewhere or are made otherwise.
    var withOtherRows: [String] = []
    /// Whether the lists that stay are in another order.
    var isReordered = false

    init(from old: Settings, to new: Settings) {
        let before = Dictionary(old.lists.map { ($0.name, $0) }) { first, _ in first }
        let names = Set(new.lists.map(\.name))
        removed = old.lists.map(\.name).filter { !names.contains($0) }
        for list in new.lists {
            guard let known = before[list.name] else {
                added.append(list.name)
                continue
            }
            if known != list { changed.append(list.name) }
            if known.source != list.source || known.mode != list.mode { withOtherRows.append(list.name) }
        }
        isReordered = new.lists.map(\.name).filter { before[$0] != nil } != old.lists.map(\.name).filter(names.contains)
    }

    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty && !isReordered }

    /// As logged: `added notes; changed disks and fruit; removed hours`.
    var summary: String {
        let parts = [("added", added), ("changed", changed), ("removed", removed)].filter { !$0.1.isEmpty }
            .map { "\($0.0) \($0.1.andList)" }
        return isEmpty
            ? "nothing has changed" : parts.isEmpty ? "the lists are in another order" : parts.joined(separator: "; ")
    }
}
