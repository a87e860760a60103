/// Everything that is wrong with a settings file, in the order of its lines.
struct SettingsFaults: Error, Hashable, CustomStringConvertible {
    let file: String
    let faults: [SettingsFault]

    /// A line for each fault, and one that says what follows from them.
    var description: String {
        let count = faults.count == 1 ? "1 fault" : "\(faults.count) faults"
        return (faults.map(\.description) + ["\(count) in \(file). Nothing is served."]).joined(separator: "\n")
    }
}
