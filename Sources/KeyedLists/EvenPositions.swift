/// Positions spread evenly between two bounds that they never reach:
///
///     lower ····· 0 ····· 1 ····· 2 ····· upper        count 3, width = upper − lower
///
/// They differ from each other and from the bounds as long as the width is more than the count.
struct EvenPositions: Equatable {
    let lower: Position
    let width: Int
    let count: Int

    init(_ count: Int, between lower: Position, and upper: Position) {
        self.lower = lower
        self.count = count
        width = upper - lower
    }

    /// The position with this number, from 0 on.
    subscript(number: Int) -> Position {
        let (step, rest) = width.quotientAndRemainder(dividingBy: count + 1)
        // Two products, as width × number could go beyond 64 bits.
        return lower + step * (number + 1) + rest * (number + 1) / (count + 1)
    }
}
