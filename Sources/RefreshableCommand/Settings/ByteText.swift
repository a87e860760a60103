/// Reads sizes as people write them: `500KiB`, `16MiB`.
enum ByteText {
    /// Nil for anything but a whole number above zero, followed by its unit; the most is 1GiB.
    static func bytes(_ text: String) -> Int? {
        let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)]
        guard let (unit, shift) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        let digits = text.dropLast(unit.count).drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        guard let number = Int(String(digits)), 1...(1 << (30 - shift)) ~= number else { return nil }
        return number << shift
    }
}
