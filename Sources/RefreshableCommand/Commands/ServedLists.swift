import ListSources
import RefreshableLists

/// Turns settings and demos into the lists that a server serves.
enum ServedLists {
    /// - Parameters:
    ///   - folder: where the settings file is; commands run from here, and files are found from here.
    ///   - hide: takes what is secret out of the texts of errors.
    static func lists(
        _ settings: Settings, folder: String, hiding hide: @escaping @Sendable (String) -> String
    ) -> [RefreshableList] {
        settings.lists.map { list($0, folder: folder).rewording(hide) }
    }

    /// The demos of the five systems, each under its own name.
    static func demos() -> [RefreshableList] {
        Demo.names.compactMap { name in
            let pull = PullSettings.standard(for: Demo(named: name))
            return list(ListSettings(name: name, source: .demo(name), pull: pull), folder: ".")
        }
    }

    private static func list(_ settings: ListSettings, folder: String) -> RefreshableList {
        let list = RefreshableList(settings.name, title: settings.title)
            .pull(settings.pull.configuration).haptics(settings.pull.haptics)
            .indicator(settings.pull.indicator).texts(settings.pull.texts)
            .every(settings.every.duration(unset: nil))
            .maximumAge(settings.maximumAge.duration(unset: nil))
            .minimumInterval(settings.minimumInterval.duration(unset: nil))
            .deadline(settings.deadline.duration(unset: .seconds(30)))
            .acceptsPushes(settings.push)
        switch settings.source {
        case nil: return list
        case .command(let command):
            return list.source(source(command, folder: folder)).mode(mode(settings.mode))
        case .file(let file):
            let source = FileSource(path(file.path, in: folder), layout: file.layout, grows: file.grows)
            return list.source(source).mode(mode(settings.mode))
        case .web(let web):
            let source = WebSource(web.request, layout: web.layout, next: web.next, limits: web.limits)
            return list.source(source).mode(mode(settings.mode))
        case .sqlite(let sqlite):
            return list.source(source(sqlite, folder: folder)).mode(mode(settings.mode))
        case .demo(let name):
            guard let demo = Demo(named: name) else { preconditionFailure("Settings were checked, but not \(name).") }
            return with(demo, list.mode(mode(settings.mode, isStreaming: demo.isStreaming)))
        }
    }

    private static func with(_ demo: Demo, _ list: RefreshableList) -> RefreshableList {
        var list = list.source(demo.source)
        if let rows = demo.initialRows { list = list.rows(rows) }
        guard let aftermath = demo.aftermath else { return list }
        return list.then(after: aftermath.delay) { aftermath.rows }
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

    /// A path from the root; nil: the folder itself.
    private static func path(_ path: String?, in folder: String) -> String {
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
