import ListSources

/// The file of a list.
struct FileSettings: Hashable {
    /// A relative one starts in the folder of the settings file.
    var path: String
    var layout: RowLayout
    /// Whether others add lines to it and keep it open.
    var grows = false
}
