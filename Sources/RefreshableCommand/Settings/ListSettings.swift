import ListSources

/// One list of a settings file.
struct ListSettings: Hashable {
    /// Where its rows come from.
    enum Source: Hashable {
        case command(CommandSettings)
        case file(FileSettings)
        case web(WebSettings)
        case sqlite(SQLiteSettings)
        /// A demo, by its name.
        case demo(String)
    }

    /// How the rows of a run reach the list.
    enum Mode: String, CaseIterable, Hashable {
        case replace, stream
    }

    /// A time that a settings file may leave out or switch off.
    enum Period: Hashable {
        case unset
        /// `none`.
        case none
        case of(Duration)
    }

    var name: String
    /// Nil: the name, capitalised.
    var title: String?
    /// Nil: from other programs alone.
    var source: Source?
    /// Whether other programs may change the rows.
    var push = false
    var pull: PullSettings
    /// Nil: `replace`, or what the demo asks for.
    var mode: Mode?
    var deadline = Period.unset
    var every = Period.unset
    var maximumAge = Period.unset
    var minimumInterval = Period.unset
}

extension ListSettings.Source {
    /// What its settings say of the fields of a row.
    var fields: FieldMapping {
        switch self {
        case .command(let command): command.layout.fields
        case .file(let file): file.layout.fields
        case .web(let web): web.layout.fields
        case .sqlite(let sqlite): sqlite.fields
        case .demo: FieldMapping()
        }
    }
}
