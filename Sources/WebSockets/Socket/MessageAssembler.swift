/// Assembles messages from the fragments of their frames, up to a limit.
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

    /// Frees the fragments and their memory: an idle socket holds none.
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

/// A whole message from a peer, put together from however many frames it came in.
///
/// The bytes belong to the library and are gone when the call that brought them returns: copy what you keep.
package enum WebSocketMessage {
    /// Valid UTF-8.
    case text(UnsafeRawBufferPointer)
    /// Any bytes.
    case binary(UnsafeRawBufferPointer)
    /// The message is longer than the limit; it is skipped. Told once for each such message.
    case tooLarge
}

/// Checks text as it comes, in pieces cut anywhere (RFC 3629 §4).
struct UTF8Validator {
    /// Bytes still owed to the character under way.
    private var owed: UInt8 = 0
    /// What the next of them may be.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text may end here.
    var isComplete: Bool { owed == 0 }

    /// Whether these bytes are a whole text.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var validator = UTF8Validator()
        return validator.takes(bytes) && validator.isComplete
    }

    /// Whether a text may go on with these bytes. After false it is of no more use.
    mutating func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if owed == 0, index + 8 <= bytes.count, bytes.hasOnlyASCII(at: index) {
                index += 8
                continue
            }
            guard takes(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func takes(_ byte: UInt8) -> Bool {
        if owed == 0 { return begins(with: byte) }
        guard (lowest...highest).contains(byte) else { return false }
        expect(owed - 1)
        return true
    }

    private mutating func begins(with byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x7F: break
        case 0xC2...0xDF: expect(1)
        // What shorter forms, surrogates, and code points beyond U+10FFFF would begin with, is narrowed.
        case 0xE0: expect(2, from: 0xA0)
        case 0xED: expect(2, to: 0x9F)
        case 0xE1...0xEF: expect(2)
        case 0xF0: expect(3, from: 0x90)
        case 0xF4: expect(3, to: 0x8F)
        case 0xF1...0xF3: expect(3)
        default: return false
        }
        return true
    }

    private mutating func expect(_ owed: UInt8, from lowest: UInt8 = 0x80, to highest: UInt8 = 0xBF) {
        self.owed = owed
        self.lowest = lowest
        self.highest = highest
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the eight bytes from there on are ASCII.
    fileprivate func hasOnlyASCII(at index: Int) -> Bool {
        loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    }
}
