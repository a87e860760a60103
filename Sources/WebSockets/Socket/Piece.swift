/// A part of a message, as libwebsockets hands it out.
struct Piece {
    /// Points into libwebsockets' receive buffer.
    let bytes: UnsafeRawBufferPointer
    let isFirst: Bool
    let isFinal: Bool
    let isBinary: Bool
    /// Bytes of the same frame that are still to come.
    let remaining: Int
}
