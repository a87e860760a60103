import CommandSources
import Foundation
import ListSources
import Logging
import PostgresSources
import RefreshableLists
import SQLiteSources
import WebSources

/// Turns settings and demos into the lists that a server serves.
enum ServedLists {
    /// - Parameters:
    ///   - server: the name of this server.
    ///   - folder: where the settings file is; commands run from here, and files are found from here.
    ///   - rows: the folder for rows that are kept on disk and not in memory.
    ///   - hide: takes what is secret out of the texts of errors.
    static func lists(
        _ settings: Settings, of server: String, folder: String, rows: RowsFolder,
        hiding hide: @escaping @Sendable (String) -> String
    ) -> [RefreshableList] {
        settings.lists.map { settings in
            let servers = settings.servers.map {
                $0.contains(server) ? RefreshableList.Leaders.thisServer : .otherServers
            }
            return list(settings, folder: folder, rows: rows.path).led(by: servers ?? .anyServer).rewording(hide)
        }
    }

    /// The demos of the five systems, each under its own name.
    static func demos() -> [RefreshableList] {
        Demo.names.compactMap { name in
            let pull = PullSettings.standard(for: Demo(named: name))
            return list(ListSettings(name: name, source: .demo(name), pull: pull), folder: ".", rows: ".")
        }
    }

    private static func list(_ settings: ListSettings, folder: String, rows: String) -> RefreshableList {
        let plain = RefreshableList(settings.name, title: settings.title)
            .pull(settings.pull.configuration).haptics(settings.pull.haptics)
            .indicator(settings.pull.indicator).texts(settings.pull.texts).noun(settings.noun)
            .sections(settings.section)
            .notifies(settings.notify != nil)
            .every(settings.every.duration(unset: nil))
            .maximumAge(settings.maximumAge.duration(unset: nil))
            .minimumInterval(settings.minimumInterval.duration(unset: nil))
            .deadline(settings.deadline.duration(unset: .seconds(30)))
            .acceptsPushes(settings.push).tracksUnread(settings.unread)
        let list = settings.actions.reduce(plain) { $0.adding(RowAction($1, folder: path(nil, in: folder))) }
        if case .sqlite(let sqlite)? = settings.source, let windows = windows(sqlite, folder: folder) {
            return list.windowed(by: windows)
        }
        guard let source = source(settings.source, folder: folder) else { return list }
        guard settings.isResident else {
            return list.windowed(by: RowsOnDisk(source, in: "\(rows)/\(settings.name).sqlite"))
        }
        if case .demo(let name)? = settings.source, let demo = Demo(named: name) {
            return with(demo, list.source(source).mode(mode(settings.mode, isStreaming: demo.isStreaming)))
        }
        return list.source(source).mode(mode(settings.mode))
    }

    private static func source(_ settings: ListSettings.Source?, folder: String) -> (any RowSource)? {
        switch settings {
        case nil: return nil
        case .command(let command): return source(command, folder: folder)
        case .file(let file):
            return FileSource(
                path(file.path, in: folder), layout: file.layout, grows: file.grows, limit: file.size)
        case .web(let web): return WebSource(web.request, layout: web.layout, next: web.next, limits: web.limits)
        case .sqlite(let sqlite): return source(sqlite, folder: folder)
        case .postgres(let postgres): return source(postgres)
        case .demo(let name):
            guard let demo = Demo(named: name) else { preconditionFailure("Settings were checked, except \(name).") }
            return demo.source
        }
    }

    private static func with(_ demo: Demo, _ list: RefreshableList) -> RefreshableList {
        let list = demo.initialRows.map { list.rows($0) } ?? list
        guard let followUpEdit = demo.followUpEdit else { return list }
        return list.then(after: followUpEdit.delay) { followUpEdit.rows }
    }

    private static func source(_ settings: CommandSettings, folder: String) -> CommandSource {
        CommandSource(
            settings.command, layout: settings.layout, workingFolder: path(settings.folder, in: folder),
            environment: settings.environment, progress: settings.progress, outputLimit: settings.size,
            patience: settings.patience)
    }

    private static func source(_ settings: SQLiteSettings, folder: String) -> SQLiteSource {
        SQLiteSource(
            path(settings.file, in: folder), query: settings.query, parameters: settings.parameters,
            fields: settings.fields, selection: settings.selection, limit: settings.size, patience: settings.wait)
    }

    private static func windows(_ settings: SQLiteSettings, folder: String) -> SQLiteWindows? {
        settings.window.map { order in
            SQLiteWindows(
                path(settings.file, in: folder), query: settings.query, by: order, parameters: settings.parameters,
                fields: settings.fields, patience: settings.wait)
        }
    }

    private static func source(_ settings: PostgresSettings) -> PostgresSource {
        PostgresSource(
            settings.url, query: settings.query, parameters: settings.parameters, listen: settings.listen,
            fields: settings.fields, selection: settings.selection, limit: settings.size, patience: settings.wait)
    }

    /// A path from the root; nil: the folder itself.
    fileprivate static func path(_ path: String?, in folder: String) -> String {
        guard let path else { return folder }
        return path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }

    private static func mode(_ mode: ListSettings.Mode?, isStreaming: Bool = false) -> RefreshableList.Mode {
        switch mode {
        case .replace: .replace
        case .stream: .stream
        case nil: isStreaming ? .stream : .replace
        }
    }
}

/// The folder for rows that are kept on disk and not in memory (`resident: false`).
struct RowsFolder {
    let path: String
    /// Whether it is this process's alone, and of no use to the next.
    private let isTemporary: Bool

    /// In the data folder; where there is none, in a folder of this process among the machine's temporary files, whose name nobody can
    /// know before.
    init(in data: RefreshableServer.Configuration.Data = .ephemeral) {
        if case .folder(let folder) = data {
            (path, isTemporary) = ("\(folder)/rows", false)
        } else {
            (path, isTemporary) = ("\(NSTemporaryDirectory())refreshable-rows-\(UUID())", true)
        }
    }

    /// Removes what the next process can't use.
    func removeTemporary() {
        // There is none where no list is on disk.
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }
}

extension RowAction {
    /// - Parameter folder: where the settings file is.
    fileprivate init(_ settings: ActionSettings, folder: String) {
        let undo: Handler? =
            switch settings.undo {
            case .none: nil
            case .effect: { _, _ in }
            case .command(let command): Self.handler(command, folder)
            }
        self.init(
            named: settings.name, title: settings.title, effect: settings.effect,
            isDestructive: settings.isDestructive, refreshes: settings.refreshes,
            handler: settings.command.map { Self.handler($0, folder) }, undo: undo)
    }

    private static func handler(_ settings: CommandSettings, _ folder: String) -> Handler {
        let action = CommandAction(
            settings.command, workingFolder: ServedLists.path(settings.folder, in: folder),
            environment: settings.environment, outputLimit: settings.size, patience: settings.patience)
        return { row, run in try await action.perform(on: row, run: run.id) { run.progress($0, of: $1, $2) } }
    }
}

extension ListSettings.Period {
    /// Nil: never, or for ever.
    fileprivate func duration(unset: Duration?) -> Duration? {
        switch self {
        case .unset: unset
        case .none: nil
        case .of(let duration): duration
        }
    }
}

/// Serves the demos in memory on a free port while `body` runs.
enum DemoServer {
    /// - Parameter body: gets the port.
    static func serve<Value: Sendable>(_ body: @Sendable (Int) async throws -> Value) async throws -> Value {
        var configuration = RefreshableServer.Configuration()
        configuration.port = 0
        var logger = Logger(label: "refreshable") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let server = RefreshableServer(lists: ServedLists.demos(), configuration: configuration, logger: logger)
        let serving = Task { try await server.run() }
        let result: Result<Value, any Error>
        do { result = .success(try await body(try await server.port)) } catch { result = .failure(error) }
        serving.cancel()
        try await serving.value
        return try result.get()
    }
}

/// What `serve` prints when it is ready.
///
///     Serving 9 lists at http://localhost:8080/
///     Kept in /home/me/.refreshable
struct StartMessage {
    /// The lines, first the one that programs look for.
    let lines: [String]

    /// - Parameter data: where lists are kept.
    init(
        _ settings: ServeSettings, lists: [ListSettings], port: Int,
        data: RefreshableServer.Configuration.Data,
        addresses: () -> [String] = LocalAddresses.all
    ) {
        let count = lists.count == 1 ? "1 list" : "\(lists.count) lists"
        let isSecure = settings.certificate != nil
        let scheme = isSecure ? "https" : "http"
        var lines = ["Serving \(count) at \(scheme)://localhost:\(port)/"]
        lines.append("Kept in \(data)")
        if !settings.isLoopback {
            let isEverywhere = ["0.0.0.0", "::", "[::]"].contains(settings.host)
            let hosts = isEverywhere ? addresses() : [settings.host]
            // A certificate is made for names.
            let names = isSecure && !settings.allowedHosts.isEmpty ? settings.allowedHosts : hosts
            for name in names { lines.append("\(scheme)://\(name):\(port)/") }
            if settings.tokens == nil {
                let rights =
                    lists.contains { !$0.actions.isEmpty }
                    ? "read the lists, refresh them and act on rows" : "read the lists and refresh them"
                lines.append("Anybody who reaches these addresses may \(rights).")
            }
            if settings.tokens == nil, settings.pushToken == nil, lists.contains(where: \.push) {
                lines.append("Rows may be pushed from this machine only: other machines need --push-token.")
            }
        }
        self.lines = lines
    }

    func say() {
        Console.say(lines.joined(separator: "\n"))
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the machine calls itself.
enum MachineName {
    /// Its host name (gethostname(2)), without a domain; `localhost` where it has none.
    static var current: String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let isKnown =
            bytes.withUnsafeMutableBytes { gethostname($0.baseAddress!.assumingMemoryBound(to: CChar.self), 255) } == 0
        let name = bytes.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }
        return isKnown && !name.isEmpty ? String(decoding: name, as: UTF8.self) : "localhost"
    }
}

/// The addresses at which other machines of the network can reach this one.
enum LocalAddresses {
    /// IPv4 addresses of interfaces that are up, without loopback, each once.
    static func all() -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: [String] = []
        for interface in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let interface = interface?.pointee, let address = address(of: interface),
                !addresses.contains(address)
            else { continue }
            addresses.append(address)
        }
        return addresses
    }

    private static func address(of interface: ifaddrs) -> String? {
        let flags = Int32(truncatingIfNeeded: interface.ifa_flags)
        guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0,
            let socketAddress = interface.ifa_addr, Int32(socketAddress.pointee.sa_family) == AF_INET
        else { return nil }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard getnameinfo(socketAddress, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }
}
