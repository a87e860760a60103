/// A part of a message, as libwebsockets hands it out.
struct Piece {
    /// Points into libwebsockets' receive buffer.
    let bytes: UnsafeRawBufferPointer
    let isFirst: Bool
    let isFinal: Bool
    let isBinary: Bool
    /// RSV1 of the frame it is of: on the first frame, the message is compressed.
    let isMarked: Bool
    /// Bytes of the same frame that are still to come.
    let remaining: Int
}
