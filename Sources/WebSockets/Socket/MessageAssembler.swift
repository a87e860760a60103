/// Puts messages together from the pieces of their frames, and keeps them under a cap.
///
/// ```
/// piece (first) ─ piece ─ piece (final)  ──▶ message
///        more than `limit` together      ──▶ tooLarge, once; the rest is skipped
///        more than `skipLimit` together  ──▶ flood: nothing is waited for any more
/// ```
struct MessageAssembler {
    /// What a piece led to.
    enum Step: Equatable {
        /// Wait for more.
        case incomplete
        /// The pieces so far are a message. If `isWhole`, the last piece alone is, and nothing was copied.
        case complete(isWhole: Bool)
        /// The cap was passed with this piece.
        case tooLarge
        /// Far too much.
        case flood
    }

    /// The pieces so far; valid after `.complete(isWhole: false)`, until the next piece.
    private(set) var bytes: [UInt8] = []
    /// Length so far of a message that is being skipped.
    private var skipped: Int?

    /// Takes a piece. `limit` is in bytes of a whole message; `skipLimit` is no smaller.
    mutating func add(
        _ piece: UnsafeRawBufferPointer, isFirst: Bool, isFinal: Bool, limit: Int, skipLimit: Int
    ) -> Step {
        if isFirst { reset() }
        if let skipped { return skip(skipped + piece.count, isFinal: isFinal, skipLimit: skipLimit) }
        let length = bytes.count + piece.count
        guard length <= limit else {
            reset()
            guard length <= skipLimit else { return .flood }
            skipped = isFinal ? nil : length
            return .tooLarge
        }
        if isFirst && isFinal { return .complete(isWhole: true) }
        bytes.append(contentsOf: piece)
        return isFinal ? .complete(isWhole: false) : .incomplete
    }

    /// Forgets the pieces, and their memory: an idle socket keeps none.
    mutating func reset() {
        if !bytes.isEmpty { bytes = [] }
        skipped = nil
    }

    private mutating func skip(_ length: Int, isFinal: Bool, skipLimit: Int) -> Step {
        guard length <= skipLimit else { return .flood }
        skipped = isFinal ? nil : length
        return .incomplete
    }
}
