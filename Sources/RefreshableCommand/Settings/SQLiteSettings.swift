import ListSources

/// What a list asks of a SQLite database.
struct SQLiteSettings: Hashable {
    /// A relative one starts in the folder of the settings file.
    var file: String
    var query: String
    var parameters: SQLiteParameters = [:]
    var fields = FieldMapping()
    var selection = RowSelection()
    /// The most that is read of the result, in bytes.
    var size = 64 << 20
    /// How long a lock is waited for.
    var wait = Duration.seconds(5)
}
