/// Reads sizes as people write them: `500KiB`, `16MiB`, and `16MB`, which is a little less (IEC 80000-13).
enum ByteText {
    /// What a setting says that can't be read.
    static let expected = "a size such as 500KiB, 16MiB or 16MB, 1GiB at most"

    private static let units = [
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1000), ("KB", 1000), ("MB", 1_000_000),
        ("GB", 1_000_000_000),
    ]

    /// Nil for anything but a whole number above zero, followed by its unit.
    ///
    /// - Parameter most: in bytes.
    static func bytes(_ text: String, most: Int = 1 << 30) -> Int? {
        guard let (unit, size) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        let digits = text.dropLast(unit.count).drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        guard let number = Int(String(digits)), 1...(most / size) ~= number else { return nil }
        return number * size
    }
}
