import ListProtocol

extension ListState {
    /// Whether a run has ended: any state may be left out for a newer one, so it has if the last run is it or a later one.
    func isOver(_ run: String) -> Bool {
        guard let last = last?.run else { return false }
        guard last != run else { return true }
        // Runs end in a number that rises within an epoch.
        guard let number = Self.number(of: run), let ended = Self.number(of: last) else { return false }
        return ended > number
    }

    private static func number(of run: String) -> Int? {
        Int(String(run.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()))
    }
}
