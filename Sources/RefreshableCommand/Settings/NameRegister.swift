/// Where each list's name was given first, so that no two lists share one.
struct NameRegister {
    private var lines: [String: Int] = [:]

    /// The line at which the name was taken before; nil if it is free, and from now on taken.
    mutating func take(_ name: String, line: Int) -> Int? {
        if let first = lines[name] { return first }
        lines[name] = line
        return nil
    }
}
