/// Everything that is wrong with a settings file, in the order of its lines.
struct SettingsFaults: Error, Hashable, CustomStringConvertible {
    let file: String
    let faults: [SettingsFault]

    /// A line for each fault.
    var lines: [String] { faults.map(\.description) }

    /// How many there are, and in which file.
    var summary: String { Self.summary(faults.count, file) }

    /// As above.
    static func summary(_ count: Int, _ file: String) -> String {
        "\(count == 1 ? "1 fault" : "\(count) faults") in \(file)."
    }

    /// A line for each fault, and one that says what follows from them.
    var description: String { (lines + ["\(summary) Nothing is served."]).joined(separator: "\n") }
}
