/// A part of a message, of one frame.
struct Fragment {
    /// Unmasked. Gone when whoever is handed it returns.
    let bytes: UnsafeRawBufferPointer
    /// The message begins with it.
    let isFirst: Bool
    /// The message ends with it.
    let isFinal: Bool
    let isBinary: Bool
    /// The message is compressed.
    let isCompressed: Bool
}
