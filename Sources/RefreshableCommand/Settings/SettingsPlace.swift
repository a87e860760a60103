/// Where something stands in a settings file.
struct SettingsPlace: Hashable {
    /// From 1.
    let line: Int
    /// In characters, from 1.
    let column: Int
}
