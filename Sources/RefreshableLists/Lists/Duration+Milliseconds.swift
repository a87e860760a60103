extension Duration {
    /// Whole milliseconds, rounded towards zero.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// In words for people: `30 s`, `700 ms`.
    var words: String { milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms" }
}
