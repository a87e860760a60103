import ListSources

/// The command of a list.
struct CommandSettings: Hashable {
    var command: CommandSource.Command
    var layout = RowLayout(.lines)
    /// Nil: the folder of the settings file. A relative one starts there.
    var folder: String?
    var environment: [String: String] = [:]
    var progress = CommandSource.Progress.told
    /// The most it may print, in bytes.
    var size = CommandSource.defaultOutputLimit
    /// Between being asked to end and being made to.
    var patience = CommandSource.defaultPatience
}
