/// A whole message from a peer, put together from however many frames it came in.
///
/// The bytes belong to the library and are gone when the call that brought them returns: copy what you keep.
public enum WebSocketMessage {
    /// Valid UTF-8.
    case text(UnsafeRawBufferPointer)
    /// Any bytes.
    case binary(UnsafeRawBufferPointer)
    /// The message is longer than the limit; it is skipped. Told once for each such message.
    case tooLarge
}
